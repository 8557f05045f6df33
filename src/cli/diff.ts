/**
 * `ouro diff`: what a session changed in its files, as it left them, less what was undone. The patch alone is on
 * stdout; what is not in it, and could not be undone, is named on stderr.
 */
import { shortId } from '../../messages/ids.js';
import { reveal, stripControls } from '../../tui/text/sanitise.js';
import { undoDir } from '../undo-ground.js';
import { openJournalReader } from '../store/journal-store.js';
import { sessionDir } from '../store/layout.js';
import { historyOf, type FileHistory } from '../undo/history.js';
import { patchOf, type ChangePatch } from '../undo/patch-text.js';
import { planUndo, type UndoPlan } from '../undo/plan-undo.js';
import { selectSession } from './select-session.js';
import type { StandingSession } from './liveness.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb, type VerbOutput } from './verb-output.js';

export interface DiffOptions {
  readonly id?: string | undefined;
  readonly stat?: boolean | undefined;
  readonly json?: boolean | undefined;
}

interface ShownChange extends ChangePatch {
  readonly path: string;
  readonly round: number;
  /** Null: it can be undone. */
  readonly objection: string | null;
}

export const diff = (options: DiffOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, (output) => {
    const selected = selectSession({ id: options.id, fitting: 'any' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { session } = selected;
    const history = readHistory(session, context);
    const shown = changesOf(session, history, context);
    if (options.stat === true) for (const line of statOf(shown)) output.line(line);
    else if (!output.json) for (const each of shown) printPatch(each, output, context);
    note(session, history, shown, output);
    output.data({
      ok: true,
      session: session.id,
      files: shown.map(({ text, lines, isBinary, objection, ...rest }) => ({
        ...rest,
        binary: isBinary,
        ...(lines ?? { added: null, removed: null }),
        undoable: objection === null,
        reason: objection,
        ...(options.stat === true ? {} : { patch: text }),
      })),
      not_covered: history.notCovered,
      commands: history.commands,
    });
    return EXIT_DONE;
  });

export function readHistory({ id }: StandingSession, { home }: VerbContext): FileHistory {
  const view = openJournalReader({ dir: sessionDir(home, id), session: id });
  try {
    return historyOf(view.rows());
  } finally {
    view.close();
  }
}

function changesOf(
  { id, workspace }: StandingSession,
  history: FileHistory,
  { home }: VerbContext,
): readonly ShownChange[] {
  const changes = history.since(1);
  const objections = objectionsOf(planUndo(workspace, changes));
  return changes.map((change) => ({
    path: change.path,
    round: change.last.round,
    ...patchOf(undoDir(sessionDir(home, id)), change),
    objection: objections.get(change.path) ?? null,
  }));
}

const objectionsOf = ({ conflicts, notKept }: UndoPlan): ReadonlyMap<string, string> =>
  new Map([...conflicts, ...notKept].map(({ path, reason }) => [path, reason]));

function printPatch({ text }: ShownChange, output: VerbOutput, { isTerminal }: VerbContext): void {
  output.raw(isTerminal ? stripControls(text) : text);
}

function statOf(shown: readonly ShownChange[]): readonly string[] {
  const names = shown.map(({ path }) => reveal(path));
  const width = Math.max(0, ...names.map(({ length }) => length));
  const sum = (count: 'added' | 'removed'): number =>
    shown.reduce((total, { lines }) => total + (lines?.[count] ?? 0), 0);
  return [
    ...shown.map((each, at) => ` ${(names[at] ?? '').padEnd(width)} | ${amountOf(each)}`),
    `${shown.length} changed, ${sum('added')} lines added, ${sum('removed')} removed`,
  ];
}

function amountOf({ status, isBinary, lines }: ShownChange): string {
  if (isBinary) return `binary, ${status}`;
  if (lines === null || status === 'mode') return status;
  return `${status}, +${lines.added} -${lines.removed}`;
}

function note(
  session: StandingSession,
  history: FileHistory,
  shown: readonly ShownChange[],
  output: VerbOutput,
): void {
  const id = shortId(session.id);
  if (shown.length === 0) output.note(`session ${id} has changed no files that are kept`);
  for (const { path, objection } of shown) {
    if (objection !== null) output.note(`cannot be undone: ${reveal(path)}: ${objection}`);
  }
  for (const { place, reason } of history.notCovered) {
    output.note(`not covered: ${reveal(place)}: ${reason}`);
  }
  if (history.commands > 0) {
    const outside = 'what they did outside the workspace or on the network is not covered';
    output.note(`${history.commands} calls ran commands; ${outside} (ouro logs ${id})`);
  }
  if (session.state === 'interrupted') {
    output.note(
      `it was cut off: what its last call did is found by ouro undo ${id} or ouro resume ${id}`,
    );
  }
}
