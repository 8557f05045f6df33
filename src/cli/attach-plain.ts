/** `ouro attach --plain`: the session's log as lines that scroll by, for pipes, log files and screen readers. */
import { shortId } from '../../messages/ids.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { entryLine } from '../../tui/log-line.js';
import { plural } from '../../tui/text/amounts.js';
import type { ControlClient } from '../control/client.js';
import type { ConnectionEnd } from '../control/socket-client.js';
import { interruptible } from './interruption.js';
import { wantsColour, widthOf } from './verb-context.js';
import type { VerbContext } from './verb-context.js';
import type { VerbOutput } from './verb-output.js';

export type PlainEnd =
  | ConnectionEnd
  /** Ctrl+C. */
  | { readonly kind: 'left' }
  /** Nobody reads the lines any more. */
  | { readonly kind: 'unread' };

/** Prints until the session is over or nobody wants to read on. Closes the client. */
export const attachPlain = (
  client: ControlClient,
  context: VerbContext,
  output: VerbOutput,
): Promise<PlainEnd> =>
  interruptible(context, async (interrupted) => {
    const leaving = new Promise<void>((resolve) => {
      interrupted.addEventListener('abort', () => {
        client.close();
        resolve();
      });
    });
    const { snapshots, ended } = client.events(['snapshot', 'bye']);
    const log = new ScrollingLog(context, output);
    for await (const snapshot of snapshots) {
      if (interrupted.aborted) break;
      log.show(snapshot);
      // A reader that is slow skips snapshots, instead of having them pile up here.
      await Promise.race([output.flushed(), leaving]);
      if (output.isRead) continue;
      client.close();
      return { kind: 'unread' };
    }
    return interrupted.aborted ? { kind: 'left' } : ended;
  });

/** Each entry once, in order; what was missed is counted. */
class ScrollingLog {
  readonly #output: VerbOutput;
  readonly #layout: { readonly colour: boolean; readonly width?: number };
  #last: number | null = null;

  constructor(context: VerbContext, output: VerbOutput) {
    const width = widthOf(context);
    const colour = wantsColour(context);
    this.#output = output;
    this.#layout = width === Infinity ? { colour } : { colour, width };
  }

  show({ log, session }: Snapshot): void {
    for (const entry of log) {
      const last = this.#last ?? entry.n - 1;
      if (entry.n <= last) continue;
      const missed = entry.n - last - 1;
      if (missed > 0) {
        this.#output.line(`  … ${plural(missed, 'line')} missed: ouro logs ${shortId(session)}`);
      }
      this.#output.line(entryLine(entry, this.#layout));
      this.#last = entry.n;
    }
  }
}
