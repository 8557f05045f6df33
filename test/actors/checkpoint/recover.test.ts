import { expect, test } from 'vitest';
import { recoverFrom } from '../../../actors/checkpoint/recover.js';
import { FORM } from '../../../actors/checkpoint/written-state.js';
import { fold } from '../../../actors/recovery.js';
import type { JournalLookup } from '../../../actors/ports.js';
import type { AgentId, Seq } from '../../../messages/ids.js';
import { factOf, sessionFact } from '../../../messages/journal.js';
import { lookupIn } from '../../../simulation/journal/row-lookup.js';
import { stateText } from '../../../simulation/recovered-state.js';
import { aRound, begun, shell, spawned, write } from '../../replay/whole-rounds.js';
import { CheckpointedJournal } from '../../support/checkpointed-journal.js';
import { MAIN } from '../../support/session-samples.js';

/** Rounds 1 to 4, with a checkpoint after the second and the third. */
function worked() {
  const journal = new CheckpointedJournal().append(...begun());
  journal.append(...aRound({ round: 1 }, write('a')), ...aRound({ round: 2 }, shell('ls')));
  const first = journal.checkpoint();
  journal.append(...aRound({ round: 3 }, write('b')));
  const second = journal.checkpoint();
  journal.append(...aRound({ round: 4, text: 'Done.' }));
  return { journal, first, second };
}

/** Which rows a resume reads: those asked for one by one, and where it begins to read them all. */
function reading(journal: JournalLookup, unreadable: readonly Seq[] = []) {
  const seen = { single: new Set<Seq>(), from: 0 };
  const watched: JournalLookup = {
    ...journal,
    at: (seq) => {
      seen.single.add(seq);
      return unreadable.includes(seq) ? null : journal.at(seq);
    },
    rows: (from = 1) => {
      seen.from = from;
      return journal.rows(from);
    },
  };
  return { watched, seen };
}

test('only the newest checkpoint, what it goes on from, the live messages and the rows behind it are read', () => {
  const { journal, first, second } = worked();
  const { watched, seen } = reading(journal.lookup);
  expect(stateText(recoverFrom(watched))).toBe(stateText(fold(journal.rows)));
  expect(seen.from).toBe(second.body.after + 1);
  const kinds = [...seen.single].map((seq) => journal.lookup.at(seq)?.kind);
  expect(new Set(kinds)).toEqual(new Set(['checkpoint', 'message.added', 'tool.outcome']));
  expect([...seen.single]).toEqual(expect.arrayContaining([first.seq, second.seq]));
});

test('a journal without a checkpoint is folded from its first row', () => {
  const rows = new CheckpointedJournal().append(...begun()).rows;
  const { watched, seen } = reading(lookupIn(rows));
  expect(stateText(recoverFrom(watched))).toBe(stateText(fold(rows)));
  expect(seen.from).toBe(1);
});

test('a damaged checkpoint is passed over for the one before it, and that one for all rows', () => {
  const { journal, first, second } = worked();
  const newest = reading(journal.lookup, [second.seq]);
  expect(stateText(recoverFrom(newest.watched))).toBe(stateText(fold(journal.rows)));
  expect(newest.seen.from).toBe(first.body.after + 1);
  // The second goes on from the first.
  const both = reading(journal.lookup, [first.seq]);
  expect(stateText(recoverFrom(both.watched))).toBe(stateText(fold(journal.rows)));
  expect(both.seen.from).toBe(1);
});

test('a checkpoint that names a row which is not good is passed over', () => {
  const { journal, first } = worked();
  const third = journal.rows.find(({ kind, round }) => kind === 'tool.outcome' && round === 3);
  const later = reading(journal.lookup, [third?.seq ?? 0]);
  recoverFrom(later.watched);
  expect(later.seen.from).toBe(first.body.after + 1);
  const early = reading(journal.lookup, [2]);
  recoverFrom(early.watched);
  expect(early.seen.from).toBe(1);
});

test('a checkpoint of another form is passed over, and a process that goes on writes a whole one', () => {
  const { journal, first, second } = worked();
  journal.rows[second.seq - 1] = { ...second, body: { ...second.body, form: FORM + 1 } };
  const newer = reading(journal.lookup);
  recoverFrom(newer.watched);
  expect(newer.seen.from).toBe(first.body.after + 1);
  journal.rows[first.seq - 1] = { ...first, body: { ...first.body, form: FORM + 1 } };
  const older = reading(journal.lookup);
  expect(stateText(recoverFrom(older.watched))).toBe(stateText(fold(journal.rows)));
  expect(older.seen.from).toBe(1);
  expect(journal.resume().checkpoint().body).toMatchObject({ form: FORM, before: null });
});

test('a checkpoint that was written behind rows which it does not know leaves them to the fold', () => {
  const journal = new CheckpointedJournal().append(...begun(), ...aRound({ round: 1 }, write('a')));
  const made = journal.make();
  const after = journal.rows.length;
  // On their way to the disk when it was made.
  journal.append(...aRound({ round: 2 }, write('b')));
  // Nothing is made while one is on its way.
  expect(journal.make()).toBeNull();
  if (made !== null) journal.append(made);
  const { watched, seen } = reading(journal.lookup);
  expect(stateText(recoverFrom(watched))).toBe(stateText(fold(journal.rows)));
  expect(seen.from).toBe(after + 1);
});

test('a checkpoint does not repeat what was said, and is made only where there is something new', () => {
  const journal = new CheckpointedJournal().append(...begun('a goal'));
  const text = 'said once '.repeat(50);
  journal.append(...aRound({ round: 1, text }, shell('ls')));
  expect(JSON.stringify(journal.checkpoint().body)).not.toContain('said once');
  expect(journal.make()).toBeNull();
});

test('checkpoints do not grow with the session', () => {
  const journal = new CheckpointedJournal().append(...begun());
  const sizes: number[] = [];
  for (let round = 1; round <= 2_000; round += 1) {
    const sub = `sub-${round}` as AgentId;
    journal.append(...aRound({ round }, write(`${round}.txt`)));
    if (round % 5 === 0)
      journal.append(
        sessionFact('discovery.added', { title: `${round}`, description: 'd'.repeat(100) }),
        spawned(sub),
        factOf('agent.ended', sub, 1, {
          agent: sub,
          rounds: 1,
          end: { status: 'done', text: 'seen', denied: [] },
        }),
      );
    if (round % 50 !== 0) continue;
    const record = { changed: [], read: [], commands: [], errors: [], answers: [] };
    journal.append(factOf('context.restarted', MAIN, round, { messages: [], record }));
    sizes.push(JSON.stringify(journal.checkpoint().body).length);
  }
  expect(sizes.length).toBe(40);
  expect(Math.max(...sizes)).toBeLessThan((sizes[1] ?? 0) * 1.2);
  const recovered = recoverFrom(journal.lookup);
  expect(recovered.main.conversation.tally.written).toHaveLength(2_000);
  expect(stateText(recovered)).toBe(stateText(fold(journal.rows)));
});

/** Whoever changes this gives the form another number: a state of old would be misread. */
test('the form of the state is the one that its number stands for', () => {
  const { parts, lists } = worked().first.body;
  const main = parts['agents.main'] as Readonly<Record<string, Readonly<object>>>;
  expect(FORM).toBe(1);
  expect(Object.keys(parts).join(' ')).toBe(
    'spec goal ended holds totals lastTs spawned todos processes spent background asked waits ' +
      'answers guides deaths unclaimed questions intents agents.main',
  );
  expect(Object.keys(main).join(' ')).toBe('id round asking end birth reported conversation');
  expect(main['conversation']).toEqual({
    ...{ messages: [2, 4, 7, 9, 12, 14], revision: 0, record: null, batch: null },
    ...{ results: [], said: [], tally: { unresolved: [], submission: null } },
  });
  expect(lists).toEqual({
    'agents.main.conversation.tally.written': { from: 0, items: ['a'] },
  });
});
