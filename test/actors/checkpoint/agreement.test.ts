import { expect, test } from 'vitest';
import { CheckpointCheck, checkpointsIn } from '../../../actors/checkpoint/agreement.js';
import { FORM, type WrittenAgent } from '../../../actors/checkpoint/written-state.js';
import { Recovered } from '../../../actors/recovery.js';
import type { CheckpointBody } from '../../../messages/checkpoint.js';
import { factOf, sessionFact } from '../../../messages/journal.js';
import { aRound, begun, shell, spawned, write } from '../../replay/whole-rounds.js';
import { CheckpointedJournal, type CheckpointRow } from '../../support/checkpointed-journal.js';
import { SUB } from '../../support/session-samples.js';

function checked({ rows, lookup }: CheckpointedJournal) {
  const check = new CheckpointCheck(checkpointsIn(lookup));
  const fold = new Recovered();
  for (const row of rows) {
    fold.apply(row);
    check.see(row.seq, fold);
  }
  const { agreeing, unchecked, disagreement } = check;
  return { agreeing, unchecked, disagreement };
}

function worked() {
  const journal = new CheckpointedJournal().append(...begun());
  journal.append(...aRound({ round: 1 }, write('a')));
  const first = journal.checkpoint();
  journal.append(sessionFact('discovery.added', { title: 'size', description: '3 files' }));
  journal.append(...aRound({ round: 2 }, shell('ls')));
  const second = journal.checkpoint();
  return { journal, first, second };
}

const rewritten = (
  { journal }: { journal: CheckpointedJournal },
  row: CheckpointRow,
  body: Partial<CheckpointBody>,
): CheckpointedJournal => {
  journal.rows[row.seq - 1] = { ...row, body: { ...row.body, ...body } };
  return journal;
};

test('checkpoints that say what the rows say agree', () => {
  const { journal } = worked();
  expect(checked(journal)).toEqual({ agreeing: 2, unchecked: 0, disagreement: null });
});

test('a part that is another is named by its path, with the row and the round of the checkpoint', () => {
  const made = worked();
  const { first } = made;
  const main = first.body.parts['agents.main'] as WrittenAgent;
  const parts = { ...first.body.parts, 'agents.main': { ...main, round: 7 } };
  expect(checked(rewritten(made, first, { parts })).disagreement).toEqual({
    ...{ seq: first.seq, round: 1, path: 'agents.main.round' },
  });
});

test('one message, one entry of a list, and a part that is not there are found, too', () => {
  const path = (change: (made: ReturnType<typeof worked>) => CheckpointedJournal) =>
    checked(change(worked())).disagreement?.path;
  expect(
    path((made) => {
      const main = made.second.body.parts['agents.main'] as WrittenAgent;
      const messages = main.conversation?.messages.with(2, 3);
      const conversation = { ...main.conversation, messages };
      const parts = { ...made.second.body.parts, 'agents.main': { ...main, conversation } };
      return rewritten(made, made.second, { parts });
    }),
  ).toBe('agents.main.conversation.messages.2');
  expect(path((made) => rewritten(made, made.second, { lists: {} }))).toBe('discoveries');
  expect(
    path((made) => {
      const { todos: _, ...parts } = made.first.body.parts;
      return rewritten(made, made.first, { parts });
    }),
  ).toBe('todos');
});

test('one of another form, and what goes on from it, cannot be checked', () => {
  const made = worked();
  expect(checked(rewritten(made, made.first, { form: FORM + 1 }))).toEqual({
    ...{ agreeing: 0, unchecked: 2, disagreement: null },
  });
});

test('of a sub-agent that has ended only its end is kept', () => {
  const journal = new CheckpointedJournal().append(...begun(), spawned(SUB));
  journal.append(...aRound({ agent: SUB, round: 1 }, write('its own')));
  const before = journal.checkpoint().body;
  expect(before.lists).toHaveProperty(['agents.sub-1.conversation.tally.written']);
  const end = { status: 'done', text: 'seen', denied: [] } as const;
  journal.append(factOf('agent.ended', SUB, 1, { agent: SUB, rounds: 1, end }));
  const { parts, lists } = journal.checkpoint().body;
  expect(parts['agents.sub-1']).toMatchObject({ conversation: null, end: { end } });
  expect(lists).toEqual({
    'agents.sub-1.conversation.tally.written': { from: 0, items: [] },
  });
  expect(checked(journal)).toEqual({ agreeing: 2, unchecked: 0, disagreement: null });
});
