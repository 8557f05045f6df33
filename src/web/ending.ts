/** The ways a request can end without what was asked for, and what the model is told of each. */
import type { ToolOutcome } from '../../messages/tools.js';

export type Ending =
  /** Not done because it must not be done; nothing was sent, or the answer was not read. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'timeout'; readonly afterMs: number; readonly message: string }
  | { readonly kind: 'cancelled' };

export const refused = (message: string): Ending => ({ kind: 'refused', message });
export const failed = (message: string): Ending => ({ kind: 'failed', message });

export function asOutcome(ending: Ending): ToolOutcome {
  switch (ending.kind) {
    case 'refused':
    case 'failed':
      return { status: 'failed', reason: ending.kind, text: `Error: ${ending.message}` };
    case 'timeout':
      return { status: 'timeout', afterMs: ending.afterMs, text: `Error: ${ending.message}` };
    case 'cancelled':
      return { status: 'cancelled', text: 'Error: the call was cancelled before it was done.' };
  }
}
