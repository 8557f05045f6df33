/** `ouro context undo`: takes a compaction back in a session that is not running. */
import { shortId } from '../../messages/ids.js';
import { count, plural } from '../../tui/text/amounts.js';
import { undoCompaction } from '../session-compactions.js';
import { resumeCommand, selectSession } from './select-session.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb, usage } from './verb-output.js';

export interface ContextUndoOptions {
  readonly id?: string | undefined;
  /** As typed. */
  readonly row?: string | undefined;
  readonly json?: boolean | undefined;
}

export const contextUndo = (options: ContextUndoOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const { id, row } = options;
    if (row !== undefined && !/^[1-9]\d{0,14}$/.test(row))
      return output.fail(usage(`--row ${row}: expected the number of a row, such as 120`));
    const selected = selectSession({ id, fitting: 'any', neverGuess: true }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { session } = selected;
    const wanted = row === undefined ? null : Number(row);
    const undone = await undoCompaction({
      home: context.home,
      id: session.id,
      row: wanted,
      time: context,
    });
    if (!undone.ok) {
      const message = `${shortId(session.id)}: ${undone.reason}`;
      return output.fail({ code: 'not_possible', message });
    }
    const { compactions, messages, tokens } = undone;
    output.line(
      `${shortId(session.id)}: ${plural(compactions.length, 'compaction')} taken back, from row ${undone.row}: ` +
        `${plural(messages, 'message')}, about ${count(tokens)} tokens`,
    );
    output.line(`go on with: ${resumeCommand(session)}`);
    output.line('what does not fit into the window is compacted again before the next request');
    output.data({
      ok: true,
      session: session.id,
      row: undone.row,
      compactions: compactions.map((each) => each.row),
      messages,
      tokens,
    });
    return EXIT_DONE;
  });
