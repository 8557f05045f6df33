/** The ends of a call that tools themselves decide. */
import type { ToolOutcome } from '../../messages/tools.js';

export const done = (text: string, truncated = false): ToolOutcome => ({
  status: 'ok',
  text,
  truncated,
});

/** An ordinary error: the model made a mistake or the world is not as it thought. */
export const failed = (message: string): ToolOutcome => ({
  status: 'failed',
  reason: 'failed',
  text: `Error: ${message}`,
});

/** Not done because it must not be done. */
export const refused = (message: string): ToolOutcome => ({
  status: 'failed',
  reason: 'refused',
  text: `Error: ${message}`,
});

export const NOT_STARTED: ToolOutcome = {
  status: 'cancelled',
  text: 'Error: the call was cancelled before it started. Nothing was run.',
};
