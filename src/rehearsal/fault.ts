/** The ways in which a turn can go wrong on purpose: all of them have been seen with real servers. */
export type Fault =
  /** Without a body: an error in OpenAI's shape. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter: RetryAfter | null;
      readonly body: string | null;
    }
  /** Headers, then silence until the client leaves. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'hang_before_headers' }
  /** The answer begins, and falls silent after so many bytes until the client leaves; null: after half. */
  | { readonly kind: 'silence'; readonly after: number | null }
  /** Refused for its length, as llama-server does: `window` tokens is what it has room for. */
  | { readonly kind: 'context_overflow'; readonly window: number }
  /** The connection breaks after so many bytes; null: after half of the answer. */
  | { readonly kind: 'cut'; readonly after: number | null }
  /** This text in place of the arguments; null: the right ones without their last character. */
  | { readonly kind: 'bad_json'; readonly arguments: string | null }
  /** Half of the arguments of the last call: the limit of the reply was reached. */
  | { readonly kind: 'cut_arguments' }
  /** The calls are written as text into the answer. */
  | { readonly kind: 'text_calls'; readonly form: 'tags' | 'fence' | 'bare' }
  /** Counts that cannot be true, or none at all although they were asked for. */
  | { readonly kind: 'odd_usage'; readonly usage: 'missing' | 'null' | 'negative' | 'nan' }
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

/** When to ask again: in so many seconds, as a date so many seconds from now, or any text as it stands. */
export type RetryAfter =
  | { readonly form: 'seconds' | 'date'; readonly seconds: number }
  | { readonly form: 'text'; readonly text: string };

/**
 * A client keeps nothing of such an answer and asks again, so the conversation cannot show that it was
 * given: it has to be counted.
 */
export function leavesNoMessage(fault: Fault | null): boolean {
  switch (fault?.kind) {
    case 'status':
    case 'hang':
    case 'hang_before_headers':
    case 'silence':
    case 'context_overflow':
    case 'cut':
    case 'error_in_200':
    case 'empty':
      return true;
    default:
      return false;
  }
}
