/** Checkpoints of a session whose journal is a real file, and what a resume makes of them. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recoverFrom } from '../actors/checkpoint/recover.js';
import { fold } from '../actors/recovery.js';
import type { ObservedFact } from '../messages/coordinator.js';
import { factOf, sessionFact, type JournalRow } from '../messages/journal.js';
import { stateText } from '../simulation/recovered-state.js';
import { SessionCheckpoints } from '../src/session-checkpoints.js';
import { openDatabase } from '../src/store/database.js';
import { JournalDamage } from '../src/store/journal-errors.js';
import { openJournal, type JournalStore } from '../src/store/journal-store.js';
import { verifyJournal } from '../src/store/verify-journal.js';
import { aRound, begun, shell } from './replay/whole-rounds.js';
import { SESSION } from './store/journal-samples.js';
import { tempFolder } from './store/temp-folder.js';
import { MAIN, START, SUB, usageOf } from './support/session-samples.js';

const open = (dir: string, mode: 'create' | 'append'): JournalStore =>
  openJournal({ dir, session: SESSION, mode, time: { now: () => START } });

const used = (agent = MAIN): ObservedFact => ({
  ...{ type: 'model.used', agent, round: 1, model: 'm' },
  ...{ usage: usageOf(1, 1), at: START },
});

const record = { changed: [], read: [], commands: [], errors: [], answers: [] };
const compacted = { type: 'context.compacted', agent: SUB, round: 1, step: 'mask' } as const;

/** As a session does it: rows, then the fact that says so. */
async function workRounds(
  journal: JournalStore,
  checkpoints: SessionCheckpoints,
  rounds: readonly number[],
): Promise<void> {
  for (const round of rounds) {
    await journal.append(aRound({ round, text: `round ${round}` }, shell('ls')));
    checkpoints.hear(used());
    await journal.append([]);
  }
  await journal.append([]);
}

const checkpointsIn = (journal: JournalStore): JournalRow[] =>
  [...journal.rows()].filter(({ kind }) => kind === 'checkpoint');

/** A session of six rounds that began anew after the fourth, so that the first rows are not needed any more. */
async function workedIn(dir: string): Promise<void> {
  const journal = open(dir, 'create');
  const checkpoints = new SessionCheckpoints(journal, 2);
  await journal.append(begun());
  await workRounds(journal, checkpoints, [1, 2, 3, 4]);
  await journal.append([factOf('context.restarted', MAIN, 4, { messages: [], record })]);
  await workRounds(journal, checkpoints, [5, 6]);
  await journal.close();
}

/** Behind the back of the journal. */
function change(dir: string, statement: string): void {
  const db = openDatabase({ file: join(dir, 'journal.db'), access: 'write', busyMs: 1_000 });
  db.exec(statement);
  db.close();
}

test('one is written after so many rounds of the main agent, of what is on disk then', async () => {
  const journal = open(join(tempFolder(), 'session'), 'create');
  const checkpoints = new SessionCheckpoints(journal, 2);
  await journal.append(begun());
  await workRounds(journal, checkpoints, [1]);
  checkpoints.hear(used(SUB));
  expect(checkpointsIn(journal)).toEqual([]);
  await workRounds(journal, checkpoints, [2, 3, 4, 5]);
  const found = checkpointsIn(journal);
  expect(found.map(({ round }) => round)).toEqual([2, 4]);
  expect(found.map(({ seq }) => seq - 1)).toEqual(
    found.map((row) => (row.kind === 'checkpoint' ? row.body.after : 0)),
  );
  await journal.close();
});

test('one is written after a compaction of any agent, and ahead of the last row', async () => {
  const journal = open(join(tempFolder(), 'session'), 'create');
  const checkpoints = new SessionCheckpoints(journal);
  await journal.append(begun());
  checkpoints.hear({ ...compacted, count: 1, tokensBefore: 2, tokensAfter: 1, at: START });
  await journal.append([]);
  await journal.append([]);
  expect(checkpointsIn(journal)).toHaveLength(1);
  await journal.append(aRound({ round: 1 }, shell('ls')));
  await checkpoints.write();
  await journal.append([
    sessionFact('session.ended', { status: 'stopped', text: '', reason: 'by a person' }),
  ]);
  const kinds = [...journal.rows()].map(({ kind }) => kind);
  expect(kinds.slice(-2)).toEqual(['checkpoint', 'session.ended']);
  await journal.close();
  // Nothing can be written any more, which others say.
  await checkpoints.write();
});

test('a resume finds what all rows say, also where it does not read them all', async () => {
  const dir = join(tempFolder(), 'session');
  await workedIn(dir);
  const journal = open(dir, 'append');
  const whole = stateText(fold(journal.rows()));
  expect(stateText(recoverFrom(journal))).toBe(whole);
  await journal.close();
  // A row that nothing goes on from: the checkpoint is all that is needed.
  change(dir, `UPDATE rows SET body = '{}' WHERE seq = 2`);
  const altered = open(dir, 'append');
  expect(stateText(recoverFrom(altered))).toBe(whole);
  expect(verifyJournal({ dir, session: SESSION })).toMatchObject({ status: 'damaged', seq: 2 });
  await altered.close();
});

test('a damaged row that is needed is refused as ever', async () => {
  const dir = join(tempFolder(), 'session');
  await workedIn(dir);
  change(dir, `UPDATE rows SET body = '{}' WHERE kind = 'message.added' AND round = 6`);
  const journal = open(dir, 'append');
  expect(() => recoverFrom(journal)).toThrow(JournalDamage);
  await journal.close();
});

test('where a row is damaged under a running session, it goes on without checkpoints', async () => {
  const dir = join(tempFolder(), 'session');
  const journal = open(dir, 'create');
  const checkpoints = new SessionCheckpoints(journal, 1);
  await journal.append(begun());
  change(dir, `UPDATE rows SET body = '{}' WHERE seq = 2`);
  await workRounds(journal, checkpoints, [1, 2]);
  await checkpoints.write();
  expect(journal.newest('checkpoint', Infinity)).toBeNull();
  expect(journal.lastSeq).toBeGreaterThan(10);
  await journal.close();
});
