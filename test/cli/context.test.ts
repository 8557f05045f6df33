/** `ouro context show` and `ouro context undo`, of sessions that run and that do not. */
import { expect, test } from 'vitest';
import { newAgent } from '../../actors/coordinator-state.js';
import type { Message } from '../../messages/conversation.js';
import { callIdOf, MAIN_AGENT, type SessionId } from '../../messages/ids.js';
import { factOf, type JournalFact } from '../../messages/journal.js';
import { contextShow } from '../../src/cli/context-show.js';
import { contextUndo } from '../../src/cli/context-undo.js';
import { openJournalReader } from '../../src/store/journal-store.js';
import { memoryFile, sessionDir } from '../../src/store/layout.js';
import { cleared, jsonOf, newDesk, startSession, type Desk } from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';
const call = callIdOf(MAIN_AGENT, 1, 1);
const MASK = `[Cleared: grep(pattern=x) — 900 chars, round 1] [completed; read_output id=${call}]`;

const asked: Message = {
  role: 'assistant',
  text: 'looking \u001b[31m',
  calls: [{ id: call, name: 'grep', args: { pattern: 'x' } }],
};
const add = (message: Message, round = 0): JournalFact =>
  factOf('message.added', MAIN_AGENT, round, { message });
const work: readonly JournalFact[] = [
  add({ role: 'system', text: 'You are ouro.' }),
  add({ role: 'user', origin: 'goal', text: 'find it' }),
  add(asked, 1),
  factOf('tool.outcome', MAIN_AGENT, 1, {
    callId: call,
    name: 'grep',
    outcome: { status: 'ok', text: 'the whole result', truncated: false },
  }),
  factOf('context.masked', MAIN_AGENT, 5, { masks: [{ callId: call, text: MASK }] }),
  add({ role: 'assistant', text: 'found it', calls: [] }, 5),
];

async function session(desk: Desk) {
  const started = await startSession(desk, ONE);
  await started.journal.append(work);
  return started;
}
const rowsIn = (desk: Desk, id: SessionId) => {
  const view = openJournalReader({ dir: sessionDir(desk.home, id), session: id });
  try {
    return [...view.rows()];
  } finally {
    view.close();
  }
};

test('of a session that does not run, everything comes from its journal', async () => {
  const desk = newDesk();
  await (await session(desk)).end();
  const shown = cleared(desk);
  expect(await contextShow({}, shown)).toBe(0);
  expect(shown.out.text).toContain('not running');
  expect(shown.out.text).toMatch(/^window +128,000 tokens$/m);
  expect(shown.out.text).toContain(`\n  ${MASK}\n`);
  expect(shown.out.text).toMatch(/^ {2}row 6 .* round 5 {2}results masked$/m);
  expect(shown.out.text).toContain(`${memoryFile(desk.home, desk.cwd)} (not there)`);
  expect(await contextShow({ json: true }, desk)).toBe(0);
  expect(jsonOf(desk)).toMatchObject({
    ok: true,
    session: ONE,
    agent: 'main',
    live: false,
    window: 128_000,
    room: null,
    messages: 5,
    masked: [{ id: call, text: MASK }],
    summary: null,
    compactions: [{ row: 6, step: 'mask', undone: false }],
  });
});

test.each([
  [
    'names the pieces of work that it was made of, and why each begins',
    [
      { begins: 'start', messages: 8, files: ['src/a.ts', 'b\u001b[31m.ts'] },
      { begins: 'turn', messages: 1, files: [] },
      { begins: 'files', messages: 6, files: ['docs/c.md'] },
      { begins: 'size', messages: 1, files: ['docs/c.md'] },
    ] as const,
    [
      '  8 messages, from the first message on  src/a.ts, b.ts',
      '  1 message, since a person spoke',
      '  6 messages, since the files changed  docs/c.md',
      '  1 message, cut for its length  docs/c.md',
    ],
  ],
  ['of an older program has its text only', undefined, []],
])('a summary %s', async (_name, segments, lines) => {
  const desk = newDesk();
  const started = await session(desk);
  const text = '<context_summary>\nIt was found.\n</context_summary>';
  const record = { changed: [], read: [], commands: [], errors: [], answers: [] };
  await started.journal.append([
    factOf('context.summarised', MAIN_AGENT, 6, {
      ...{ first: 2, count: 3, messages: [{ role: 'assistant', text, calls: [] }], record },
      ...(segments === undefined ? {} : { segments }),
    }),
  ]);
  await started.end();
  expect(await contextShow({}, desk)).toBe(0);
  const shown = desk.out.text.slice(
    desk.out.text.indexOf('\nsummary'),
    desk.out.text.indexOf('\n<'),
  );
  expect(shown.split('\n').slice(2)).toEqual(lines);
});

test('of one that runs, the zones are what it measured', async () => {
  const desk = newDesk();
  const started = await session(desk);
  const context = { window: 1_000, pinned: 100, summary: 0, middle: 200, recent: 450 };
  started.show({ agents: [{ ...newAgent(MAIN_AGENT, null, 'find it', 'm'), context }] });
  expect(await contextShow({}, desk)).toBe(0);
  expect(desk.out.text).toContain('room for messages 1,000');
  expect(desk.out.text).toMatch(/^used +about 750 tokens, 75 %$/m);
  expect(desk.out.text).toContain(MASK);
});

test('a configured window is the one that is shown', async () => {
  const desk = newDesk({ env: { OURO_CONTEXT_WINDOW: '9000' } });
  await (await session(desk)).end();
  expect(await contextShow({}, desk)).toBe(0);
  expect(desk.out.text).toMatch(/^window +9,000 tokens$/m);
});

test('an agent that is not in it is refused', async () => {
  const desk = newDesk();
  await session(desk);
  expect(await contextShow({ agent: 'sub-7' }, desk)).toBe(1);
  expect(desk.err.text).toContain('no agent sub-7');
});

test('an undo restores the result, once, and the session can go on', async () => {
  const desk = newDesk();
  const started = await session(desk);
  const { id } = started;
  await started.end();
  const undone = cleared(desk);
  expect(await contextUndo({ id: 'aaaa', json: true }, undone)).toBe(0);
  expect(jsonOf(undone)).toMatchObject({ ok: true, row: 6, compactions: [6], messages: 5 });
  const last = rowsIn(desk, id).at(-1);
  expect(last).toMatchObject({ kind: 'context.undone', agent: 'main', body: { of: 6 } });
  expect(JSON.stringify(last)).toContain('the whole result');
  const again = cleared(desk);
  expect(await contextUndo({ id: 'aaaa' }, again)).toBe(1);
  expect(again.err.text).toContain('no compaction to take back');
  const same = cleared(desk);
  expect(await contextUndo({ id: 'aaaa', row: '6' }, same)).toBe(1);
  expect(same.err.text).toContain('taken back already');
  expect(await contextShow({}, desk)).toBe(0);
  expect(desk.out.text).toMatch(/row 6 .*, taken back$/m);
});

test('what runs is not changed under its feet', async () => {
  const desk = newDesk();
  const { id, short } = await session(desk);
  const before = rowsIn(desk, id).length;
  expect(await contextUndo({ id: short }, desk)).toBe(1);
  expect(desk.err.text).toContain(`ouro stop ${short}`);
  expect(rowsIn(desk, id)).toHaveLength(before);
});

test.each(['0', '-1', 'x', '1e3'])('--row %s is no row', async (row) => {
  const desk = newDesk();
  expect(await contextUndo({ id: ONE, row }, desk)).toBe(2);
  expect(desk.err.text).toContain('--row');
});

test('a row that is no compaction is refused with where to look', async () => {
  const desk = newDesk();
  await (await session(desk)).end();
  expect(await contextUndo({ id: ONE, row: '2' }, desk)).toBe(1);
  expect(desk.err.text).toContain('ouro context show aaaa1111');
});

test('off a terminal an undo never guesses which session is meant', async () => {
  const desk = newDesk();
  await (await session(desk)).end();
  expect(await contextUndo({}, desk)).toBe(2);
});
