import { expect, test } from 'vitest';
import { fold } from '../../actors/recovery.js';
import { factOf, sessionFact, type JournalFact, type JournalRow } from '../../messages/journal.js';
import { fromJournal, fromNothing, type Resumption } from '../../src/session/starting-point.js';
import { rowsOf } from '../support/journal-rows.js';
import { callOf, holdOf, MAIN, specOf, START, usageOf } from '../support/session-samples.js';

const PROCESS = { version: '0.1.0', pid: 42 };
const spec = specOf();
const born = fromNothing(spec, 'count the files', 'You work.', PROCESS);

/** Resumes from these rows, as the daemon does; gives back all rows there are then. */
function resume(rows: readonly JournalRow[], part: Partial<Resumption> = {}) {
  const start = fromJournal(fold(rows), {
    spec,
    goal: null,
    notice: null,
    byPerson: false,
    process: PROCESS,
    now: START + 1_000,
    nextSeq: rows.length + 1,
    captured: () => '',
    ...part,
  });
  const all = [
    ...rows,
    ...start.rows.map((row, i) => ({ ...row, seq: rows.length + 1 + i, ts: START + 1_000 })),
  ];
  return { start, all, kinds: start.rows.map(({ kind }) => kind) };
}

const kindsOf = (facts: readonly JournalFact[]): string[] => facts.map(({ kind }) => kind);

test('a new session begins with what it is, its prompt and its goal', () => {
  expect(kindsOf(born.rows)).toEqual([
    'session.started',
    'message.added',
    'goal.set',
    'message.added',
  ]);
  expect(born.rows[0]?.body).toEqual({ spec, ...PROCESS });
  expect(born.conversation.messages).toEqual([
    { role: 'system', text: 'You work.' },
    { role: 'user', text: 'count the files', origin: 'goal' },
  ]);
  expect(born.state).toMatchObject({ goal: 'count the files', life: 'starting', holds: [] });
  expect(born.round).toBe(0);
});

test('its rows, folded, are the same session', () => {
  const recovered = fold(rowsOf(...born.rows));
  expect(recovered.spec).toEqual(spec);
  expect(recovered.goal).toBe('count the files');
  expect(recovered.main.conversation.messages).toEqual(born.conversation.messages);
});

test('what was found out about its processes is on record right behind the resume, and counts', () => {
  const id = 'p1';
  const callId = callOf(id).id;
  const started = {
    id,
    callId,
    pid: 7,
    startTime: '1',
    command: 'serve',
    keep: 'restart' as const,
  };
  const found = [factOf('process.ended', MAIN, 1, { id, callId, exitCode: 0 })];
  const before = [...born.rows, factOf('process.started', MAIN, 1, started)];
  expect(fold(rowsOf(...before)).background.get(id)).toMatchObject({
    kept: { agent: MAIN, round: 1, command: 'serve' },
  });
  const { kinds, all } = resume(rowsOf(...before), { found, notice: 'p1 ended.' });
  expect(kinds).toEqual(['session.resumed', 'process.ended', 'user.action']);
  expect(fold(all).background.size).toBe(0);
});

test('a resumed session goes on with the conversation, the sums and the findings it had', () => {
  const facts = [
    ...born.rows,
    factOf('model.intent', MAIN, 1, { model: 'm', messages: 2, attempt: 1 }),
    factOf('model.outcome', MAIN, 1, {
      status: 'ok',
      usage: usageOf(100, 20),
      model: 'm',
      ms: 1,
      finish: 'stop',
    }),
    factOf('message.added', MAIN, 1, {
      message: { role: 'assistant', text: 'So far 2.', calls: [] },
    }),
    sessionFact('discovery.added', { title: 'size', description: '2' }),
  ];
  const { start, kinds } = resume(rowsOf(...facts));
  expect(kinds).toEqual(['session.resumed']);
  expect(start.conversation.messages).toHaveLength(3);
  expect(start.round).toBe(1);
  expect(start.state).toMatchObject({
    discoveries: [{ title: 'size' }],
    totals: { rounds: 1, promptTokens: 100 },
  });
  expect(start.state.log.map(({ kind, text, n }) => [n, kind, text])).toEqual([
    [1, 'user', 'count the files'],
    [2, 'text', 'So far 2.'],
  ]);
});

test('what the resume writes and what it goes on with are the same', () => {
  const message = {
    role: 'assistant',
    text: '',
    calls: [callOf('main_1_1', 'shell'), callOf('main_1_2')],
  } as const;
  const { id: callId, name } = message.calls[0];
  const facts = [
    ...born.rows,
    sessionFact('hold.set', { hold: holdOf() }),
    factOf('message.added', MAIN, 1, { message }),
    factOf('tool.intent', MAIN, 1, { callId, name, effect: 'execute' }),
    factOf('model.intent', MAIN, 2, { model: 'm', messages: 4, attempt: 1 }),
  ];
  const { start, all, kinds } = resume(rowsOf(...facts), { byPerson: true, goal: 'and again' });
  expect(kinds).toEqual([
    'session.resumed',
    'model.outcome',
    'tool.outcome',
    'hold.lifted',
    'goal.set',
    'user.action',
  ]);
  const again = fold(all);
  expect(again.main.conversation.messages).toEqual(start.conversation.messages);
  expect(again.main.conversation.openCalls).toEqual(start.conversation.openCalls);
  expect(again.main.conversation.said).toEqual(start.conversation.said);
  expect(again.holds).toEqual(start.state.holds);
  expect(again.main.round).toBe(start.round);
  expect(start.conversation.openCalls.map(({ id }) => id)).toEqual(['main_1_2']);
});

test('a further goal is heard like words from a person, from its own row', () => {
  const { start, all } = resume(rowsOf(...born.rows), { goal: 'count again' });
  expect(start.state.goal).toBe('count again');
  const [said] = start.conversation.said;
  expect(said).toMatchObject({ text: 'count again', mode: 'steer' });
  expect(all[(said?.source ?? 0) - 1]).toMatchObject({
    kind: 'user.action',
    body: { action: { do: 'send', text: 'count again' } },
  });
});

test('a restart by the program keeps a hold of a person, a resume by the person lifts it', () => {
  const rows = rowsOf(
    ...born.rows,
    sessionFact('hold.set', { hold: holdOf() }),
    sessionFact('hold.set', { hold: holdOf({ kind: 'auth' }) }),
  );
  const kinds = (byPerson: boolean): string[] =>
    resume(rows, { byPerson }).start.state.holds.map(({ kind }) => kind);
  expect(kinds(false)).toEqual(['user', 'auth']);
  expect(kinds(true)).toEqual(['auth']);
});

test('a session that keeps dying comes back held, stays so for a plain resume, and goes on by force', () => {
  const died = resume(resume(rowsOf(...born.rows)).all);
  expect(died.start.state.holds).toEqual([]);
  const third = resume(died.all, { byPerson: true });
  expect(third.kinds).toEqual(['session.resumed', 'hold.set']);
  expect(third.start.state.holds).toMatchObject([{ kind: 'recovery', scope: 'session' }]);
  const plain = resume(third.all, { byPerson: true });
  expect(plain.start.state.holds).toHaveLength(1);
  const forced = resume(plain.all, { byPerson: true, force: true });
  expect(forced.start.state.holds).toEqual([]);
  expect(fold(forced.all).deaths, 'the count begins anew').toBe(1);
});

test('a hold whose end passed while nobody ran is lifted, and that is written', () => {
  const hold = holdOf({ kind: 'timer', until: START + 5 });
  const rows = rowsOf(...born.rows, sessionFact('hold.set', { hold }));
  const { start, kinds } = resume(rows);
  expect(start.state.holds).toEqual([]);
  expect(kinds).toEqual(['session.resumed', 'hold.lifted']);
  const early = resume(rows, { now: START + 4 });
  expect(early.start.state.holds).toEqual([hold]);
});

test('a hold that is over in two ways is lifted once', () => {
  const hold = holdOf({ kind: 'timer', until: START + 5 });
  const { kinds } = resume(rowsOf(...born.rows, sessionFact('hold.set', { hold })), {
    byPerson: true,
  });
  expect(kinds).toEqual(['session.resumed', 'hold.lifted']);
});

test('a question that was open is withdrawn, and its hold is lifted once', () => {
  const until = START + 5;
  const body = { kind: 'choice', prompt: 'Which?', choices: [], editable: false } as const;
  const question = { id: 'q1', agent: MAIN, callId: callOf('c').id, body, since: START, until };
  const hold = holdOf({ kind: 'question', scope: MAIN, until });
  const rows = rowsOf(
    ...born.rows,
    sessionFact('question.opened', { question }),
    sessionFact('hold.set', { hold }),
  );
  const { start, kinds } = resume(rows);
  expect(kinds).toEqual(['session.resumed', 'question.answered', 'hold.lifted']);
  expect(start.state).toMatchObject({
    asked: 1,
    questions: [],
    holds: [],
    closed: [{ id: 'q1', status: 'withdrawn' }],
  });
});

test('what was changed from the command line counts from here on', () => {
  const changed = specOf({ model: 'bigger' });
  const { start, all } = resume(rowsOf(...born.rows), { spec: changed });
  expect(start.spec.model).toBe('bigger');
  expect(start.state.agents[0]?.model).toBe('bigger');
  expect(fold(all).spec?.model).toBe('bigger');
});

test('the log of a long conversation keeps its newest entries', () => {
  const facts = Array.from({ length: 400 }, (_, n) =>
    factOf('message.added', MAIN, n, {
      message: { role: 'assistant', text: `answer ${n}`, calls: [] },
    }),
  );
  const { start } = resume(rowsOf(...born.rows, ...facts));
  expect(start.state.log).toHaveLength(300);
  expect(start.state.log.at(-1)).toMatchObject({ n: 401, text: 'answer 399' });
  expect(start.state.logged).toBe(401);
});

test('to resume twice is to resume once: the second finds nothing more to repair', () => {
  const facts = [
    ...born.rows,
    factOf('model.intent', MAIN, 1, { model: 'm', messages: 2, attempt: 1 }),
  ];
  const { all } = resume(rowsOf(...facts));
  expect(resume(all).kinds).toEqual(['session.resumed']);
});
