import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionFact } from '../../messages/journal.js';
import type { ImportOrigin } from '../../messages/imported.js';
import { exportSession } from '../../src/cli/sessions-export.js';
import { importInto } from '../../src/cli/sessions-import.js';
import { sessionDir } from '../../src/store/layout.js';
import { fixture, linesIn } from '../transfer/transfer-desk.js';
import { cleared, jsonOf, newDesk, startSession, type Desk } from './fake-session.js';

const SERVER = { model: 'some-model', baseUrl: 'http://127.0.0.1:1/v1' };
const PLAIN = fixture('plain.jsonl');
const CLAUDE = { format: 'claude' } as const;

async function imported(desk: Desk, path = PLAIN): Promise<string> {
  expect(await importInto({ path, ...SERVER }, desk)).toBe(0);
  return desk.out.text.trim();
}

test('import prints the short id, and says how to go on and where it worked before', async () => {
  const desk = newDesk();
  const id = await imported(desk);
  expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(desk.err.text).toContain('it worked in /home/ann/shop before');
  expect(desk.err.text).toContain(
    `Imported 3 messages and 1 calls, 244 tokens that were spent elsewhere. It goes on with: ouro run -r ${id} "GOAL"`,
  );
});

test('as JSON, import tells what was imported', async () => {
  const desk = newDesk();
  const path = fixture('delegated.jsonl');
  expect(await importInto({ path, ...SERVER, name: 'the port', json: true }, desk)).toBe(0);
  expect(jsonOf(desk)).toMatchObject({
    ...{ v: 1, ok: true, name: 'the port', workspace: desk.cwd, format: 'claude', from: path },
    ...{ imported_cwd: '/home/ann/shop', messages: 6, calls: 2, agents: 1 },
    usage: { promptTokens: 460 } satisfies Partial<ImportOrigin['usage']>,
  });
});

test('without a model server import says how to name one, and leaves nothing', async () => {
  const desk = newDesk();
  expect(await importInto({ path: PLAIN }, desk)).toBe(1);
  expect(desk.err.text).toContain('No model server is configured');
  expect(existsSync(join(desk.home, 'sessions'))).toBe(false);
});

test('what is no session is refused, and leaves nothing', async () => {
  const desk = newDesk();
  const file = join(desk.cwd, 'notes.txt');
  writeFileSync(file, 'some notes\n');
  expect(await importInto({ path: 'notes.txt', ...SERVER }, desk)).toBe(1);
  expect(desk.err.text).toContain(`${file} holds no conversation`);
  expect(await importInto({ path: 'missing', ...SERVER }, desk)).toBe(1);
  expect(readdirSync(join(desk.home, 'sessions'))).toEqual([]);
});

test('everything that is kept of an import can be read by its owner alone', async () => {
  const desk = newDesk();
  await imported(desk, fixture('delegated.jsonl'));
  const sessions = join(desk.home, 'sessions');
  const all = readdirSync(sessions, { recursive: true }).map((name) =>
    statSync(join(sessions, String(name))),
  );
  expect(all.filter((stats) => (stats.mode & 0o077) !== 0)).toEqual([]);
});

test('secrets of the environment do not get in', async () => {
  const desk = newDesk({ env: { SHOP_TOKEN: 'tk-3141592653' } });
  const file = join(desk.cwd, 'secret.jsonl');
  writeFileSync(file, '{"type":"user","uuid":"a","message":{"content":"It is tk-3141592653."}}\n');
  const id = await imported(desk, file);
  const print = cleared(desk);
  expect(await exportSession({ id, ...CLAUDE }, print)).toBe(0);
  expect(print.out.text).toContain('It is [redacted:SHOP_TOKEN].');
});

test('export prints the lines, a terminal is shown nothing that it would obey', async () => {
  const desk = newDesk();
  const file = join(desk.cwd, 'bidi.jsonl');
  const line = '{"type":"user","uuid":"a","message":{"content":"a\u202eb"}}';
  writeFileSync(file, `${line}\n`);
  const id = await imported(desk, file);
  const print = cleared(desk);
  expect(await exportSession({ id, ...CLAUDE }, print)).toBe(0);
  expect(print.out.text).toBe(`${line}\n`);
  const terminal = cleared(desk);
  Object.assign(terminal.out, { isTTY: true });
  expect(await exportSession({ id, ...CLAUDE }, terminal)).toBe(0);
  expect(terminal.out.text).toBe(`${line.replace('\u202e', '\\u202e')}\n`);
});

test('a file is written for its owner alone, and never over another one unless asked', async () => {
  const desk = newDesk();
  const id = await imported(desk);
  const output = join(desk.cwd, 'out.jsonl');
  for (const [force, code] of [
    [false, 0],
    [false, 1],
    [true, 0],
  ] as const) {
    expect(await exportSession({ id, ...CLAUDE, output, force }, cleared(desk))).toBe(code);
  }
  expect(statSync(output).mode & 0o777).toBe(0o600);
  expect(linesIn(output)).toEqual(linesIn(PLAIN));
});

test('a folder gets a file named like the session, with its sub-agents beside', async () => {
  const desk = newDesk();
  const id = await imported(desk, fixture('delegated.jsonl'));
  const print = cleared(desk);
  mkdirSync(join(desk.cwd, 'out'));
  expect(await exportSession({ id, ...CLAUDE, output: 'out', json: true }, print)).toBe(0);
  const stem = join(desk.cwd, 'out', '4b0c6a1e-57aa-4c0f-9d6f-0d2f7a8d1c11');
  const files = [`${stem}.jsonl`, join(stem, 'subagents', 'agent-a1f3.jsonl')];
  expect(jsonOf(print)).toMatchObject({ ok: true, format: 'claude', files });
  expect(files.map((file) => linesIn(file).length)).toEqual([4, 4]);
});

test('to Claude Code it goes as a session of its own, into the folder of the workspace', async () => {
  const desk = newDesk();
  const env = { CLAUDE_CONFIG_DIR: join(desk.cwd, 'claude') };
  const id = await imported(desk);
  const print = cleared(desk, { env });
  expect(await exportSession({ id, ...CLAUDE, toClaude: true }, print)).toBe(0);
  const folder = join(desk.cwd, 'claude', 'projects', desk.cwd.replace(/[^A-Za-z0-9]/g, '-'));
  const [name = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  expect(name).toMatch(new RegExp(`^${id}.*\\.jsonl$`));
  const ids = linesIn(join(folder, name)).map(
    (line) => (JSON.parse(line) as { sessionId?: string }).sessionId,
  );
  expect(new Set(ids.filter((one) => one !== undefined))).toEqual(
    new Set([name.replace('.jsonl', '')]),
  );
});

test('checkpoint and rounds go into files', async () => {
  const desk = newDesk();
  const id = await imported(desk);
  const print = cleared(desk);
  expect(await exportSession({ id, format: 'checkpoint', output: 'cp/' }, print)).toBe(0);
  expect(print.out.text).toMatch(/_2\.json\.gz\n$/);
  expect(readFileSync(print.out.text.trim()).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  expect(await exportSession({ id, format: 'rounds', output: 'rounds' }, cleared(desk))).toBe(0);
  expect(readdirSync(join(desk.cwd, 'rounds'))).toHaveLength(2);
});

test('what contradicts itself is misuse', async () => {
  const desk = newDesk();
  const id = await imported(desk);
  for (const flags of [
    { format: 'rounds' },
    { format: 'rounds', toClaude: true },
    { format: 'claude', output: 'a', toClaude: true },
    { format: 'claude', json: true },
  ] as const) {
    expect(await exportSession({ id, ...flags }, desk)).toBe(2);
  }
});

test('a session that runs is told up to now', async () => {
  const desk = newDesk();
  const session = await startSession(desk, 'aaaaaaaa-0000-4000-8000-000000000001');
  await session.journal.append([
    sessionFact('message.added', { message: { role: 'user', text: 'Begin.', origin: 'goal' } }),
  ]);
  expect(await exportSession({ id: 'aaaa', ...CLAUDE }, desk)).toBe(0);
  expect(desk.out.text).toContain('"content":"Begin."');
  expect(existsSync(join(sessionDir(desk.home, session.id), 'imported'))).toBe(false);
});
