/** Sessions made for transfer: imported into a home of their own, or written into a journal row by row. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fold } from '../../actors/recovery.js';
import type { Message } from '../../messages/conversation.js';
import type { SessionId } from '../../messages/ids.js';
import type { JournalFact, JournalRow } from '../../messages/journal.js';
import type { SessionSpec } from '../../messages/session.js';
import { claudeExport, withRows } from '../../src/session-export.js';
import { importSession, type Imported } from '../../src/session-import.js';
import { openJournal } from '../../src/store/journal-store.js';
import { ensureHome, sessionDir } from '../../src/store/layout.js';
import type { Redact } from '../../src/transfer/clean-json.js';
import { tempFolder } from '../store/temp-folder.js';
import { specOf, START } from '../support/session-samples.js';

export const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/claude/${name}`, import.meta.url));

export interface Desk {
  readonly folder: string;
  readonly home: string;
}

export function newDesk(): Desk {
  const folder = tempFolder();
  return { folder, home: join(folder, 'home') };
}

const time = { now: () => START };

/** A file with these lines, each with its end. */
export function transcriptOf({ folder }: Desk, ...lines: readonly (object | string)[]): string {
  const file = join(folder, `${randomUUID()}.jsonl`);
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(file, `${texts.join('\n')}\n`);
  return file;
}

export const bringIn = (
  { home }: Desk,
  path: string,
  {
    redact = (text) => text,
    spec = {},
  }: { readonly redact?: Redact; readonly spec?: Partial<SessionSpec> } = {},
): Promise<Imported> =>
  importSession({
    ...{ home, path, redact, time },
    format: undefined,
    spec: specOf({ id: randomUUID() as SessionId, name: '', ...spec }),
  });

/** A session of ours that did this. */
export async function sessionOf({ home }: Desk, facts: readonly JournalFact[]): Promise<SessionId> {
  const id = randomUUID() as SessionId;
  ensureHome(home);
  mkdirSync(sessionDir(home, id), { mode: 0o700 });
  await append({ home }, id, facts, 'create');
  return id;
}

export async function append(
  { home }: Pick<Desk, 'home'>,
  session: SessionId,
  facts: readonly JournalFact[],
  mode: 'create' | 'append' = 'append',
): Promise<void> {
  const journal = openJournal({ dir: sessionDir(home, session), session, mode, time });
  await journal.append(facts);
  await journal.close();
}

export const rowsIn = ({ home }: Desk, id: SessionId): Promise<readonly JournalRow[]> =>
  withRows(home, id, (rows) => [...rows()]);

/** What the main agent would go on with, without the system prompt. */
export async function conversationIn(desk: Desk, id: SessionId): Promise<readonly Message[]> {
  const { main } = fold(await rowsIn(desk, id));
  return main.conversation.messages.filter(({ role }) => role !== 'system');
}

/** What was said, in short: `user: …`, `assistant: … [name args]`, `tool: …`. */
export const inShort = (messages: readonly Message[]): readonly string[] =>
  messages.map((message) => {
    const calls = message.role === 'assistant' ? message.calls : [];
    const asked = calls.map(({ name, args }) => ` [${name} ${JSON.stringify(args)}]`);
    return `${message.role}: ${message.text}${asked.join('')}`;
  });

/** The lines of an export to one place; those of sub-agents among them. */
export const exported = ({ home }: Desk, id: SessionId): Promise<readonly string[]> =>
  withRows(home, id, (rows) =>
    [...claudeExport(rows, home, id, { asOwn: false }).lines()].map(({ bytes }) =>
      bytes.toString(),
    ),
  );

export const linesIn = (file: string): readonly string[] =>
  readFileSync(file, 'utf8').split('\n').slice(0, -1);
