/**
 * `ouro logs`: what the agent did, from the journal, one line an event; while the session works and after.
 * A damaged journal is printed up to the damage, which is then the reason of exit 1.
 */
import { shortId } from '../../messages/ids.js';
import { EXIT_INTERRUPTED, interruptible } from './interruption.js';
import { isLive } from './liveness.js';
import type { StandingSession } from './liveness.js';
import { readSelection } from './log-selection.js';
import type { LogSelection } from './log-selection.js';
import { daemonLogSource, journalSource } from './log-source.js';
import type { LogSource } from './log-source.js';
import { selectSession } from './select-session.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb } from './verb-output.js';
import type { VerbOutput } from './verb-output.js';
import { rest } from './waiting-time.js';

export interface LogsOptions extends LogSelection {
  readonly id?: string | undefined;
  /** Goes on until the session ends, or Ctrl+C. */
  readonly follow?: boolean | undefined;
  /** The daemon's own diagnostics instead, as they were written. */
  readonly daemon?: boolean | undefined;
}

/** Asking whether there is more costs little, and nobody reads faster. */
const FOLLOW_MS = 250;
/** Lines between two looks at whether the reader keeps up. */
const LINES_AT_ONCE = 256;

export const logs = (options: LogsOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const wish = readSelection(options, context);
    if ('code' in wish) return output.fail(wish);
    const selected = selectSession({ id: options.id, fitting: 'any' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { session } = selected;
    const { home } = context;
    const source =
      options.daemon === true
        ? daemonLogSource(home, session)
        : journalSource(home, session, wish.text);
    if (source === null) return output.fail(noDaemonLog(session));
    try {
      await (wish.last === Infinity
        ? printAll(source, output)
        : printLast(wish.last, source, output));
      return options.follow === true ? await follow(source, session, context, output) : EXIT_DONE;
    } finally {
      await source.close();
    }
  });

async function printAll(source: LogSource, output: VerbOutput): Promise<void> {
  let printed = 0;
  for await (const line of source.lines()) {
    output.raw(`${line}\n`);
    printed += 1;
    if (printed % LINES_AT_ONCE === 0) await output.flushed();
    if (!output.isRead) return;
  }
}

/** Also when the reading fails: what came before is what was asked for. */
async function printLast(count: number, source: LogSource, output: VerbOutput): Promise<void> {
  const last: string[] = [];
  try {
    for await (const line of source.lines()) {
      last.push(line);
      if (last.length > 2 * count + LINES_AT_ONCE) last.splice(0, last.length - count);
    }
  } finally {
    for (const line of last.slice(Math.max(0, last.length - count))) output.raw(`${line}\n`);
  }
}

function follow(
  source: LogSource,
  { id }: StandingSession,
  context: VerbContext,
  output: VerbOutput,
): Promise<number> {
  return interruptible(context, async (interrupted) => {
    while (!interrupted.aborted && output.isRead) {
      // Asked before the last look: what it wrote until then is there.
      const goesOn = isLive(context.home, id);
      await printAll(source, output);
      if (!goesOn) return EXIT_DONE;
      await rest(FOLLOW_MS, interrupted);
    }
    return interrupted.aborted ? EXIT_INTERRUPTED : EXIT_DONE;
  });
}

const noDaemonLog = ({ id }: StandingSession) =>
  ({
    code: 'not_possible',
    message: `session ${shortId(id)} never ran in the background and has no daemon log; ouro logs ${shortId(id)}`,
  }) as const;
