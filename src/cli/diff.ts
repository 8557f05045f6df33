/**
 * `ouro diff`: what a session changed in its files, as it left them, less what was undone. The patch alone is on
 * stdout; what is not in it, and could not be undone, is named on stderr.
 */
import { shortId } from '../../messages/ids.js';
import { reveal, stripControls } from '../../tui/text/sanitise.js';
import { amountOf } from '../report/changed-lines.js';
import { fileDiff, sessionDiff, type SessionDiff, type ShownChange } from '../session-diff.js';
import { selectSession } from './select-session.js';
import type { StandingSession } from './liveness.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb, type VerbOutput } from './verb-output.js';

export interface DiffOptions {
  readonly id?: string | undefined;
  readonly stat?: boolean | undefined;
  readonly json?: boolean | undefined;
}

export const diff = (options: DiffOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, (output) => {
    const selected = selectSession({ id: options.id, fitting: 'any' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { session } = selected;
    const found = sessionDiff(session, context.home);
    const shown = found.changes;
    if (options.stat === true) for (const line of statOf(shown)) output.line(line);
    else if (!output.json) for (const each of shown) printPatch(each, output, context);
    note(session, found, output);
    output.data({
      ok: true,
      session: session.id,
      files: shown.map((each) => ({
        ...fileDiff(each),
        ...(options.stat === true ? {} : { patch: each.text }),
      })),
      not_covered: found.notCovered,
      commands: found.commands,
    });
    return EXIT_DONE;
  });

function printPatch({ text }: ShownChange, output: VerbOutput, { isTerminal }: VerbContext): void {
  output.raw(isTerminal ? stripControls(text) : text);
}

function statOf(shown: readonly ShownChange[]): readonly string[] {
  const names = shown.map(({ path }) => reveal(path));
  const width = Math.max(0, ...names.map(({ length }) => length));
  const sum = (count: 'added' | 'removed'): number =>
    shown.reduce((total, { lines }) => total + (lines?.[count] ?? 0), 0);
  return [
    ...shown.map((each, at) => ` ${(names[at] ?? '').padEnd(width)} | ${amountOf(fileDiff(each))}`),
    `${shown.length} changed, ${sum('added')} lines added, ${sum('removed')} removed`,
  ];
}

function note(
  session: StandingSession,
  { changes, notCovered, commands }: SessionDiff,
  output: VerbOutput,
): void {
  const id = shortId(session.id);
  if (changes.length === 0) output.note(`session ${id} has changed no files that are kept`);
  for (const { path, objection } of changes) {
    if (objection !== null) output.note(`cannot be undone: ${reveal(path)}: ${objection}`);
  }
  for (const { place, reason } of notCovered) {
    output.note(`not covered: ${reveal(place)}: ${reason}`);
  }
  if (commands > 0) {
    const outside = 'what they did outside the workspace or on the network is not covered';
    output.note(`${commands} calls ran commands; ${outside} (ouro logs ${id})`);
  }
  if (session.state === 'interrupted') {
    output.note(
      `it was cut off: what its last call did is found by ouro undo ${id} or ouro resume ${id}`,
    );
  }
}
