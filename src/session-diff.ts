/** What a session changed in its files, as it left them, less what was undone: each change with its patch. */
import type { NotCovered } from '../messages/changes.js';
import type { SessionId } from '../messages/ids.js';
import type { FileDiff, ReportDiff } from './report/report.js';
import { openJournalReader } from './store/journal-store.js';
import { sessionDir } from './store/layout.js';
import { historyOf, type FileHistory } from './undo/history.js';
import { patchOf, type ChangePatch } from './undo/patch-text.js';
import { planUndo } from './undo/plan-undo.js';
import { undoDir } from './undo-ground.js';

export interface ShownChange extends ChangePatch {
  /** From the workspace. */
  readonly path: string;
  /** Of its newest change. */
  readonly round: number;
  /** Null: it can be undone. */
  readonly objection: string | null;
}

export interface SessionDiff {
  readonly changes: readonly ShownChange[];
  readonly notCovered: readonly NotCovered[];
  /** Commands that were started, whatever they did. */
  readonly commands: number;
}

interface SessionPlace {
  readonly id: SessionId;
  readonly workspace: string;
}

/** Throws what reading a journal throws. */
export function readHistory(id: SessionId, home: string): FileHistory {
  const view = openJournalReader({ dir: sessionDir(home, id), session: id });
  try {
    return historyOf(view.rows());
  } finally {
    view.close();
  }
}

/** Throws what reading a journal throws. */
export function sessionDiff({ id, workspace }: SessionPlace, home: string): SessionDiff {
  const history = readHistory(id, home);
  const changes = history.since(1);
  const { conflicts, notKept } = planUndo(workspace, changes);
  const objections = new Map([...conflicts, ...notKept].map(({ path, reason }) => [path, reason]));
  const dir = undoDir(sessionDir(home, id));
  return {
    changes: changes.map((change) => ({
      path: change.path,
      round: change.last.round,
      ...patchOf(dir, change),
      objection: objections.get(change.path) ?? null,
    })),
    notCovered: history.notCovered,
    commands: history.commands,
  };
}

/** As it is printed: how much, not what. */
export const fileDiff = ({
  path,
  round,
  status,
  isBinary,
  lines,
  objection,
}: ShownChange): FileDiff => ({
  path,
  round,
  status,
  binary: isBinary,
  ...(lines ?? { added: null, removed: null }),
  undoable: objection === null,
  reason: objection,
});

export function reportDiff(session: SessionPlace, home: string): ReportDiff {
  const { changes, notCovered } = sessionDiff(session, home);
  return {
    files: changes.map(fileDiff),
    not_covered: notCovered,
  };
}
