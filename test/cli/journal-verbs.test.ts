import { expect, test } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import { sessionFact, type JournalFact, type JournalRow } from '../../messages/journal.js';
import { fork } from '../../src/cli/fork.js';
import { replay } from '../../src/cli/replay.js';
import { report } from '../../src/cli/report.js';
import { show } from '../../src/cli/show.js';
import { openJournalReader } from '../../src/store/journal-store.js';
import { sessionDir } from '../../src/store/layout.js';
import { fold } from '../../actors/recovery.js';
import { aRound, endedWith, shell, spawned, write } from '../replay/whole-rounds.js';
import { MAIN, SUB } from '../support/session-samples.js';
import { cleared, jsonOf, newDesk, readRecord, startSession, type Desk } from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';
const NO_GOAL = { ok: true, goal: null, notice: null } as const;
const withGoal = (goal: string) => ({ ok: true, goal, notice: null }) as const;

const said = (text: string, role: 'system' | 'user'): JournalFact =>
  sessionFact('message.added', {
    message: role === 'user' ? { role, text, origin: 'goal' } : { role, text },
  });

const WORK: readonly JournalFact[] = [
  said('You are ouro.', 'system'),
  sessionFact('goal.set', { goal: 'do it' }),
  said('do it', 'user'),
  ...aRound({ round: 1, messages: 2 }, write('a.ts'), shell('npm test')),
  spawned(SUB),
  ...aRound({ agent: SUB, round: 1 }),
  sessionFact('todo.set', { todos: [{ task: 'more', done: false }] }),
  ...aRound({ round: 2, messages: 5, text: 'Then this.' }, shell('ls')),
  ...aRound({ round: 3, messages: 7, text: 'It is done.' }),
];

async function deskWith(facts: readonly JournalFact[] = WORK): Promise<Desk> {
  const desk = newDesk();
  const session = await startSession(desk, ONE, { goal: 'do it' });
  await session.journal.append(facts);
  await session.end({ text: 'It is done.' });
  return desk;
}

function rowsIn(desk: Desk, id: string): JournalRow[] {
  const view = openJournalReader({
    dir: sessionDir(desk.home, id as SessionId),
    session: id as SessionId,
  });
  try {
    return [...view.rows()];
  } finally {
    view.close();
  }
}

test('a report is text, Markdown or JSON, and starts where it is asked to', async () => {
  const desk = await deskWith();
  expect(await report({}, desk)).toBe(0);
  expect(desk.out.text).toMatch(/^aaaa1111 .*\n\nGoal\n {2}do it\n/);
  const markdown = cleared(desk);
  expect(await report({ markdown: true }, markdown)).toBe(0);
  expect(markdown.out.text).toContain('\n## Changed\n\n- `a.ts`: written once, by main');
  const json = cleared(desk);
  expect(await report({ json: true, id: 'aaaa', since: '1h' }, json)).toBe(0);
  expect(jsonOf(json)).toMatchObject({
    v: 1,
    ok: true,
    report: { session_id: ONE, files: [{ path: 'a.ts' }], outcome: { status: 'done' } },
  });
});

test('a report that cannot be is a misuse, and says what was expected', async () => {
  const desk = await deskWith();
  expect(await report({ since: 'soon' }, desk)).toBe(2);
  expect(desk.err.text).toContain('--since soon: expected a duration such as');
  expect(await report({ json: true, markdown: true }, cleared(desk))).toBe(2);
  expect(await report({ id: 'ffff' }, cleared(desk))).toBe(1);
});

test('commands that only look are no changes that somebody should have checked', async () => {
  const work = aRound({ round: 1 }, shell('echo hi'), shell('ls | wc -l'), shell('touch x'));
  const desk = await deskWith([...WORK.slice(0, 3), ...work]);
  expect(await report({ json: true }, desk)).toBe(0);
  expect(jsonOf(desk)).toMatchObject({ report: { unverified: { changes_since: ['touch x'] } } });
});

test('a session at work has a report that says so', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE);
  await session.journal.append(WORK.slice(0, 5));
  await session.journal.flush();
  expect(await report({ json: true }, desk)).toBe(0);
  expect(jsonOf(desk)).toMatchObject({ report: { outcome: { status: 'running' } } });
});

test('a round is shown with the request that was sent, the answer and the calls', async () => {
  const desk = await deskWith();
  expect(await show({ round: '2' }, desk)).toBe(0);
  expect(desk.out.text).toContain('aaaa1111  main round 2');
  expect(desk.out.text).toContain('4 earlier messages: --request');
  expect(desk.out.text).toContain('Call main_2_1: shell');
  const json = cleared(desk);
  expect(await show({ round: '2', request: true, json: true }, json)).toBe(0);
  const { request, round } = jsonOf(json) as {
    request: { count: number; is_whole: boolean; messages: { role: string }[] };
    round: { calls: { call_id: string; text: string }[] };
  };
  expect(request.is_whole).toBe(true);
  expect(request.messages.map(({ role }) => role)).toEqual([
    ...['system', 'user', 'assistant', 'tool', 'tool'],
  ]);
  expect(round.calls).toMatchObject([{ call_id: 'main_2_1', text: '[exit: 0]\nwords' }]);
});

test('one call is shown whole, whichever agent and round it is of', async () => {
  const desk = await deskWith();
  expect(await show({ call: 'main_1_2' }, desk)).toBe(0);
  expect(desk.out.text).toContain('main round 1');
  expect(desk.out.text).toContain('[exit: 0]\n  words');
  expect(desk.out.text).not.toContain('main_1_1');
});

test.each([
  [{ round: '9' }, 1, 'has the rounds 1 to 3, not 9'],
  [{ round: 'x' }, 2, 'expected the number of a round'],
  [{ agent: 'sub-7' }, 1, 'has no agent sub-7; it has: main, sub-1'],
  [{ call: 'main_9_9' }, 1, 'there is no call main_9_9'],
  [{ call: 'main_1_1', round: '1' }, 2, 'leave --round and --agent out'],
] as const)('what cannot be shown is refused with the reason: %j', async (options, code, words) => {
  const desk = await deskWith();
  expect(await show(options, desk)).toBe(code);
  expect(desk.err.text).toContain(words);
  expect(desk.out.text).toBe('');
});

test('any round is rebuilt as it stood, and a later one is refused', async () => {
  const desk = await deskWith();
  const at = async (round: string) => {
    const each = cleared(desk);
    expect(await replay({ at: round, json: true }, each)).toBe(0);
    return jsonOf(each) as {
      snapshot: { state: string; totals: { rounds: number }; agents: { id: string }[] };
      todos: object[];
    };
  };
  expect(await at('0')).toMatchObject({ round: 0, snapshot: { totals: { rounds: 0 } }, todos: [] });
  const first = await at('1');
  expect(first.snapshot.totals.rounds).toBe(2);
  expect(first.snapshot.agents.map(({ id }) => id)).toEqual(['main', 'sub-1']);
  expect(first.todos).toHaveLength(1);
  expect(await at('3')).toMatchObject({ snapshot: { state: 'done', result: 'It is done.' } });
  expect(await replay({ at: '4' }, desk)).toBe(1);
  expect(desk.err.text).toContain('ouro replay aaaa1111 --at 3');
  const text = cleared(desk);
  expect(await replay({}, text)).toBe(0);
  expect(text.out.text).toContain('todo       [ ] more');
});

interface ForkJson {
  readonly session: string;
  readonly go_on: readonly string[];
  readonly forked_from: { readonly rows: number };
}

async function forkAt(desk: Desk, at: string, goal: string | null = null): Promise<ForkJson> {
  const each = cleared(desk);
  const read = goal === null ? NO_GOAL : withGoal(goal);
  expect(await fork({ id: 'aaaa', at, goal: read, name: 'branch', json: true }, each)).toBe(0);
  return jsonOf(each) as unknown as ForkJson;
}

test('a branch has the conversation up to its round, word for word, and a notice', async () => {
  const desk = await deskWith();
  for (const round of [0, 1, 2, 3]) {
    const { session, forked_from: from } = await forkAt(desk, String(round));
    const branch = fold(rowsIn(desk, session));
    const upTo = WORK.findIndex(({ kind, round: n }) => kind === 'model.intent' && n > round);
    const origin = fold(rowsIn(desk, ONE).slice(0, upTo === -1 ? undefined : upTo + 1));
    const messages = branch.main.conversation.messages;
    expect(messages.slice(0, -1)).toEqual(origin.main.conversation.messages);
    expect(messages.at(-1)).toMatchObject({ role: 'user', origin: 'harness' });
    expect(branch.main.round).toBe(round);
    expect(branch.spec).toMatchObject({
      id: session,
      name: 'branch',
      forkedFrom: { ...from, round },
    });
    expect(branch.totals).toMatchObject({ rounds: 0, promptTokens: 0, costUsd: 0 });
    expect([...branch.agents.values()].every(({ id, end }) => id === MAIN || end !== null)).toBe(
      true,
    );
  }
});

test('a branch is listed as stopped, and keeps the times of what it took over', async () => {
  const desk = await deskWith();
  const { session, go_on: goOn } = await forkAt(desk, '2');
  expect(readRecord(desk, session as SessionId)).toMatchObject({
    ...{ name: 'branch', state: 'stopped', endStatus: 'stopped', exitCode: 58, goal: 'do it' },
  });
  expect(goOn).toEqual([
    `ouro resume ${session.slice(0, 8)}`,
    `ouro run -r ${session.slice(0, 8)}`,
  ]);
  const [started, ...rows] = rowsIn(desk, session);
  expect(started?.kind).toBe('session.started');
  expect(rows[0]?.ts).toBe(rowsIn(desk, ONE)[1]?.ts);
});

test('a branch from where the turn ended needs a goal, and takes one', async () => {
  const desk = await deskWith();
  const ended = await forkAt(desk, '3');
  expect(ended.go_on).toEqual([`ouro run -r ${ended.session.slice(0, 8)} "a further goal"`]);
  const { session, go_on: goOn } = await forkAt(desk, '3', 'and now that');
  expect(goOn[0]).toBe(`ouro resume ${session.slice(0, 8)}`);
  const { goal, main } = fold(rowsIn(desk, session));
  expect(goal).toBe('and now that');
  expect(main.conversation.messages.at(-1)).toMatchObject({ text: 'and now that', origin: 'goal' });
});

test('a round that is not there as a whole is refused, and nothing is left behind', async () => {
  const open = aRound({ round: 3, messages: 7 }, { ...shell('make'), outcome: null });
  const desk = await deskWith([...WORK.slice(0, -3), ...open, endedWith('stopped')]);
  for (const at of ['3', '9']) {
    const each = cleared(desk);
    expect(await fork({ id: 'aaaa', at, goal: NO_GOAL }, each)).toBe(1);
    expect(each.err.text).toContain('ouro fork aaaa1111 --at 2');
  }
  expect(await fork({ id: 'aaaa', at: 'x', goal: NO_GOAL }, cleared(desk))).toBe(2);
  expect(await fork({ id: 'aaaa', at: '1', goal: NO_GOAL, name: ' ' }, cleared(desk))).toBe(2);
});

test('a branch of a branch, and looking at what it has from its origin', async () => {
  const desk = await deskWith();
  const { session } = await forkAt(desk, '2');
  const again = cleared(desk);
  expect(await fork({ id: session, at: '2', goal: NO_GOAL, json: true }, again)).toBe(0);
  expect(jsonOf(again)).toMatchObject({ forked_from: { session, round: 2 } });
  expect(await fork({ id: session, at: '0', goal: NO_GOAL }, cleared(desk))).toBe(0);
  const looking = cleared(desk);
  expect(await show({ id: session, round: '1' }, looking)).toBe(1);
  expect(looking.err.text).toContain('ouro show aaaa1111 --round 1');
  const rebuilt = cleared(desk);
  expect(await replay({ id: session, at: '1' }, rebuilt)).toBe(1);
  expect(rebuilt.err.text).toContain('ouro replay aaaa1111 --at 1');
});
