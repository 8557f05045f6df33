/**
 * Writes a session in a format that other programs read. The journal is read and nothing else; a session
 * that runs is told up to now. A session that was imported gives back the lines it was made from, and behind
 * them what it did since.
 */
import { join } from 'node:path';
import { MAIN_AGENT, type SessionId } from '../messages/ids.js';
import type { ImportOrigin } from '../messages/imported.js';
import type { JournalRow } from '../messages/journal.js';
import type { SessionSpec } from '../messages/session.js';
import { jsonLine } from '../tui/text/json.js';
import { JournalMissing } from './store/journal-errors.js';
import { openJournalReader } from './store/journal-store.js';
import { sessionDir } from './store/layout.js';
import { checkpointBytes } from './transfer/checkpoint.js';
import { claudeLines } from './transfer/claude-export.js';
import { ConversationFold } from './transfer/conversation-fold.js';
import { isAsKept, keptIn, keptLines } from './transfer/kept.js';
import { roundFiles, type NamedFile } from './transfer/rounds.js';
import { VERSION } from './version.js';

export interface Exported {
  /** The file of a sub-agent; null: the main one. */
  readonly side: string | null;
  readonly bytes: Buffer;
}

export interface ClaudeExport {
  /** What the lines call their session. */
  readonly session: string;
  /** What a person should know. */
  readonly notices: readonly string[];
  lines(): Generator<Exported>;
}

type Rows = () => Iterable<JournalRow>;

/** Opens the journal for as long as `use` takes. */
export async function withRows<T>(
  home: string,
  id: SessionId,
  use: (rows: Rows) => Promise<T> | T,
): Promise<T> {
  const view = openJournalReader({ dir: sessionDir(home, id), session: id });
  try {
    return await use(() => view.rows());
  } finally {
    view.close();
  }
}

interface Beginning {
  readonly spec: SessionSpec;
  readonly origin: ImportOrigin | null;
}

function beginningOf(rows: Rows, file: string): Beginning {
  const [first] = rows();
  if (first?.kind !== 'session.started') throw new JournalMissing(file);
  return { spec: first.body.spec, origin: first.body.imported ?? null };
}

/** `asOwn`: under our own id, also where another program gave one, so that no transcript of its own is met. */
export function claudeExport(
  rows: Rows,
  home: string,
  id: SessionId,
  { asOwn }: { readonly asOwn: boolean },
): ClaudeExport {
  const dir = sessionDir(home, id);
  const { spec, origin } = beginningOf(rows, dir);
  const imported = origin?.format === 'claude' ? origin : null;
  const isKept = imported !== null && isAsKept(keptIn(dir), imported.sha256);
  const session = asOwn || !isKept ? id : (imported.session ?? id);
  const options = {
    session,
    space: id,
    workspace: spec.workspace,
    name: spec.name,
    version: VERSION,
    after: isKept ? { leaf: imported.leaf } : null,
  };
  const lost = imported !== null && !isKept;
  return {
    session,
    notices: lost
      ? [
          `the transcript kept in ${keptIn(dir)} is not as it was imported; the journal was written instead`,
        ]
      : [],
    *lines() {
      if (isKept) yield* keptLines(keptIn(dir), asOwn ? session : null);
      for (const { agent, line } of claudeLines(rows(), options)) {
        const side = agent === MAIN_AGENT ? null : `agent-${agent}.jsonl`;
        yield { side, bytes: Buffer.from(jsonLine(line)) };
      }
    },
  };
}

export interface CheckpointExport {
  /** As its writer names it: session and step. */
  readonly name: string;
  readonly bytes: Buffer;
}

export function checkpointExport(rows: Rows, home: string, id: SessionId): CheckpointExport {
  const { spec } = beginningOf(rows, sessionDir(home, id));
  const fold = new ConversationFold();
  const standing = { goal: '', rounds: 0, at: 0 };
  for (const row of rows()) {
    fold.take(row);
    standing.at = row.ts;
    if (row.kind === 'goal.set') standing.goal = row.body.goal;
    if (row.agent === MAIN_AGENT) standing.rounds = Math.max(standing.rounds, row.round);
  }
  const messages = fold.whole.map(({ message }) => message);
  const bytes = checkpointBytes({ ...standing, spec, messages, version: VERSION });
  return { name: `${id}_${standing.rounds}.json.gz`, bytes };
}

export const roundsExport = (rows: Rows): Generator<NamedFile> => roundFiles(rows());

/** Where a transcript goes that is to stand in `folder`. */
export const transcriptIn = (folder: string, session: string): string =>
  join(folder, `${session}.jsonl`);
