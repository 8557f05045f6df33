/** The ways in which a turn can go wrong on purpose: all of them have been seen with real servers. */
export type Fault =
  /** `retryAfter` in seconds. Without a body: an error in OpenAI's shape. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter: number | null;
      readonly body: string | null;
    }
  /** Headers, then silence until the client leaves. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'hang_before_headers' }
  /** The connection breaks after so many bytes; null: after half of the answer. */
  | { readonly kind: 'cut'; readonly after: number | null }
  /** This text in place of the arguments; null: the right ones without their last character. */
  | { readonly kind: 'bad_json'; readonly arguments: string | null }
  /** What happens to the ids of calls: sent late, in every delta, other ones each time, never. */
  | { readonly kind: 'late_ids'; readonly ids: 'late' | 'repeated' | 'changing' | 'absent' }
  | { readonly kind: 'no_index' }
  /** Every call has index 0; only the ids differ. */
  | { readonly kind: 'same_index' }
  /** A call arrives whole, in one delta. */
  | { readonly kind: 'whole_arguments' }
  /** One character of the arguments a delta. */
  | { readonly kind: 'split_arguments' }
  /** Status 200, then an error object in the middle of the answer. */
  | { readonly kind: 'error_in_200'; readonly message: string }
  /** Neither text nor calls, and no error. */
  | { readonly kind: 'empty' }
  /** The stream ends without its last line. */
  | { readonly kind: 'no_done' };

/**
 * A client keeps nothing of such an answer and asks again, so the conversation cannot show that it was
 * given: it has to be counted.
 */
export function leavesNoMessage(fault: Fault | null): boolean {
  switch (fault?.kind) {
    case 'status':
    case 'hang':
    case 'hang_before_headers':
    case 'cut':
    case 'error_in_200':
    case 'empty':
      return true;
    default:
      return false;
  }
}
