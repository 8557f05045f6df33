/** `ouro doctor`, as a person or a script uses it, with real little servers and homes that are not as they should be. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { doctor, type DoctorFlags } from '../../src/cli/doctor.js';
import type { Finding } from '../../src/doctor/finding.js';
import { openIndex } from '../../src/store/index-store.js';
import { ensureHome, indexFile } from '../../src/store/layout.js';
import { jsonServer, sendJson, sendText, type JsonServer } from '../support/http-server.js';
import { ollamaServer } from '../support/ollama-server.js';
import { cleared, jsonOf, newDesk, NOW, type Desk } from './fake-session.js';

let desk: Desk;
beforeEach(() => {
  desk = newDesk({ env: { PATH: process.env['PATH'] } });
});

/** Nothing of this machine's own is looked for unless the test says so. */
async function examined(flags: DoctorFlags = {}, changes: Partial<Desk> = {}) {
  const fresh = cleared(desk, changes);
  const code = await doctor({ usualServers: [], json: true, ...flags }, fresh);
  const { findings } = jsonOf(fresh) as unknown as { findings: readonly Finding[] };
  const about = (check: string): readonly Finding[] => findings.filter((f) => f.check === check);
  return { code, findings, about, out: fresh.out.text };
}

const levels = (findings: readonly Finding[]): readonly string[] => findings.map((f) => f.level);

interface Manners {
  readonly calls?: 'calls' | 'text' | 'none';
  readonly streams?: boolean;
  readonly json?: boolean;
  readonly listed?: object;
  readonly props?: object;
  readonly key?: string;
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const CALL = '{"name": "report_colour", "arguments": {"colour": "blue"}}';

/** A server with the manners of llama-server, or with worse ones. */
function chatServer(manners: Manners = {}): Promise<JsonServer> {
  const { calls = 'calls', streams = true, json = true, listed = {}, props, key } = manners;
  return jsonServer(({ path, body, headers }, response) => {
    if (key !== undefined && headers.authorization !== `Bearer ${key}`) {
      sendJson(response, 401, { error: { message: 'no', type: 'invalid_api_key' } });
    } else if (path === '/v1/models') {
      sendJson(response, 200, { data: [{ id: 'm', ...listed }, { id: 'other' }] });
    } else if (path === '/props' && props !== undefined) {
      sendJson(response, 200, props);
    } else if (path !== '/v1/chat/completions') {
      sendJson(response, 404, { error: 'no such path' });
    } else if (body['response_format'] !== undefined) {
      const message = { content: json ? '{"colour": "blue"}' : 'blue it is' };
      sendJson(response, 200, { choices: [{ message, finish_reason: 'stop' }] });
    } else {
      const words = streams ? ['one ', 'two ', 'three'] : ['one two three'];
      const text = calls === 'text' ? [`<tool_call>${CALL}</tool_call>`] : ['I will not.'];
      const said = body['tools'] === undefined ? words : text;
      const call = {
        index: 0,
        id: 'c1',
        function: { name: 'report_colour', arguments: '{"colour": "blue"}' },
      };
      const isCall = body['tools'] !== undefined && calls === 'calls';
      const deltas = isCall
        ? [chunk({ tool_calls: [call] })]
        : said.map((content) => chunk({ content }));
      sendText(
        response,
        'text/event-stream',
        `${deltas.join('')}${chunk({}, 'stop')}data: [DONE]\n\n`,
      );
    }
  });
}

function factsOf(baseUrl: string, model = 'm') {
  const index = openIndex({ home: desk.home, time: desk });
  try {
    return index.endpoints.get(baseUrl, model);
  } finally {
    index.close();
  }
}

const LLAMA = { default_generation_settings: { n_ctx: 8_192 }, total_slots: 3 };

test('a good server is found good, and what it reports is kept for later sessions', async () => {
  const server = await chatServer({ props: LLAMA });
  const baseUrl = `${server.root}/v1`;
  const { about, findings } = await examined({ baseUrl, model: 'm' });
  const asked = ['endpoint', 'key', 'model', 'window', 'slots', 'tools', 'stream', 'json'];
  for (const check of asked) expect(levels(about(check)), check).toEqual(['ok']);
  expect(about('window')[0]?.what).toContain('8192 tokens reported; sessions use 8192');
  expect(about('slots')[0]?.what).toContain('3 at once');
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['node', 'terminal', 'home', 'disk', 'sqlite', 'config', 'ripgrep']),
  );
  expect(factsOf(baseUrl)).toEqual({
    at: NOW,
    window: 8_192,
    slots: 3,
    trial: { at: NOW, calls: 'calls', streams: true, json: true },
  });
});

test('what was found before is shown with its age when the server does not answer', async () => {
  const baseUrl = 'http://127.0.0.1:2/v1';
  ensureHome(desk.home);
  const index = openIndex({ home: desk.home, time: desk });
  index.endpoints.set(baseUrl, 'm', { at: NOW - 7_200_000, window: 4_096, slots: 2, trial: null });
  index.close();
  const { code, about } = await examined({ baseUrl, model: 'm' });
  expect(code).toBe(1);
  expect(about('endpoint')[0]?.what).toContain('nothing is listening there');
  expect(about('known')[0]?.what).toBe('found 2h00m ago: a window of 4096 tokens, 2 slots');
});

test('a server of many faults: calls as text, answers in one piece, no JSON, another model', async () => {
  const server = await chatServer({ calls: 'text', streams: false, json: false });
  const { about, code } = await examined({ baseUrl: `${server.root}/v1`, model: 'unknown' });
  expect(code).toBe(0);
  expect(about('model')[0]?.what).toContain('does not list model "unknown"');
  expect(levels(about('tools'))).toEqual(['warn']);
  expect(about('tools')[0]?.todo).toContain('text_calls = true');
  expect(levels(about('stream'))).toEqual(['warn']);
  expect(about('json')[0]?.what).toContain('no JSON mode');
  expect(levels(about('window'))).toEqual(['warn']);
});

test('calls as text are fine where that is set; a model that calls nothing is a problem', async () => {
  const text = await chatServer({ calls: 'text' });
  const none = await chatServer({ calls: 'none' });
  mkdirSync(desk.home, { mode: 0o700 });
  const sections = [
    ['text', `base_url = "${text.root}/v1"\ntext_calls = true`],
    ['none', `base_url = "${none.root}/v1"`],
  ].map(([name, lines]) => `[endpoints.${name ?? ''}]\n${lines ?? ''}`);
  const config = `[model]\nname = "m"\nendpoint = "text"\n${sections.join('\n')}`;
  writeFileSync(join(desk.home, 'config.toml'), config);
  expect(levels((await examined()).about('tools'))).toEqual(['ok']);
  const other = await examined({ endpoint: 'none' });
  expect([other.code, levels(other.about('tools'))]).toEqual([1, ['problem']]);
  const fresh = cleared(desk);
  expect(await doctor({ endpoint: 'nowhere', usualServers: [] }, fresh)).toBe(2);
  expect(fresh.err.text).toContain('there is text, none');
});

test('a wrong key is a problem with the name of its variable, and the key is not printed', async () => {
  const server = await chatServer({ key: 'the-right-key-of-all' });
  const flags = { baseUrl: `${server.root}/v1`, model: 'm' };
  const wrong = { ...desk.env, OURO_API_KEY: 'a-wrong-key-of-mine' };
  const refused = await examined(flags, { env: wrong });
  expect([refused.code, levels(refused.about('key'))]).toEqual([1, ['problem']]);
  expect(refused.about('key')[0]?.what).toContain('OURO_API_KEY');
  expect(refused.out).not.toContain('a-wrong-key-of-mine');
  const right = { ...desk.env, OURO_API_KEY: 'the-right-key-of-all' };
  const taken = await examined(flags, { env: right });
  expect(taken.about('key')[0]?.what).toBe('the key in OURO_API_KEY was not refused');
});

test("Ollama's own protocol is tried out too", async () => {
  const server = await ollamaServer([
    { calls: [['report_colour', { colour: 'blue' }]] },
    { text: 'one two' },
  ]);
  mkdirSync(desk.home, { mode: 0o700 });
  const config = `[model]\nname = "small"\nendpoint = "o"\n[endpoints.o]\nprotocol = "ollama"\nbase_url = "${server.root}"`;
  writeFileSync(join(desk.home, 'config.toml'), config);
  const { about } = await examined();
  for (const check of ['endpoint', 'model', 'tools', 'stream'])
    expect(levels(about(check)), check).toEqual(['ok']);
  expect(server.asked.map(({ path }) => path)).toContain('/api/show');
});

test('servers on the usual ports are named with the lines that use them', async () => {
  const server = await chatServer();
  const port = Number(new URL(server.root).port);
  const notChat = await jsonServer((_, response) => sendJson(response, 200, { hello: 'world' }));
  const other = Number(new URL(notChat.root).port);
  const usual = { title: 'llama-server', path: '/v1' };
  const { about, code } = await examined({
    usualServers: [
      { ...usual, name: 'llama', port },
      { ...usual, name: 'web', port: other },
    ],
  });
  expect(code).toBe(1);
  expect(about('endpoint')[0]?.what).toBe('no model server is configured');
  expect(about('local')).toHaveLength(1);
  const lines = about('local')[0]?.todo ?? '';
  expect(lines).toContain(
    `endpoint = "llama"\nname = "m"\n[endpoints.llama]\nbase_url = "${server.root}/v1"`,
  );
  mkdirSync(desk.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(desk.home, 'config.toml'), lines.split('\n').slice(1).join('\n'));
  const used = await examined({ usualServers: [{ ...usual, name: 'llama', port }] });
  expect(levels(used.about('endpoint'))).toEqual(['ok']);
  expect(used.about('local')).toEqual([]);
});

test('a home that others can write to is a problem with the command that mends it', async () => {
  ensureHome(desk.home);
  writeFileSync(join(desk.home, '.env'), 'A=b\n');
  chmodSync(desk.home, 0o777);
  chmodSync(join(desk.home, '.env'), 0o644);
  const { code, about } = await examined();
  expect(code).toBe(1);
  expect(about('home')[0]).toMatchObject({ level: 'problem', todo: `chmod 700 '${desk.home}'` });
  expect(about('home')[1]).toMatchObject({ level: 'warn' });
  expect(levels(about('sessions'))).toEqual(['ok']);
});

test('a home that is a file, and a list of sessions that is damaged, do not keep it from the rest', async () => {
  ensureHome(desk.home);
  writeFileSync(indexFile(desk.home), 'this is no database'.repeat(100));
  const damaged = await examined();
  expect(damaged.code).toBe(1);
  expect(damaged.about('sessions')[0]).toMatchObject({ level: 'problem' });
  expect(damaged.about('sessions')[0]?.what).toContain('is damaged');
  expect(levels(damaged.about('ripgrep'))).toEqual(['ok']);
  mkdirSync(join(desk.cwd, '.ouro'));
  writeFileSync(join(desk.cwd, '.ouro', 'config.toml'), '[permissions]\nallow = ["shell"]\n');
  expect((await examined()).about('trust')[0]?.what).toContain('untrusted');
  const file = join(desk.cwd, 'file');
  writeFileSync(file, '');
  const wrong = await examined({}, { home: file });
  expect(wrong.about('home')[0]?.what).toContain('is no folder');
  expect([wrong.code, levels(wrong.about('ripgrep'))]).toEqual([1, ['ok']]);
});

test('a configuration that is wrong is told with its place, and the rest is looked at all the same', async () => {
  ensureHome(desk.home);
  writeFileSync(join(desk.home, 'config.toml'), '[model]\nnome = "m"\n');
  const { code, about } = await examined();
  expect(code).toBe(1);
  expect(about('config')[0]?.what).toMatch(/config\.toml:2/);
  expect(about('endpoint')).toEqual([]);
  expect(levels(about('sandbox'))).toHaveLength(1);
});

test('for people: a line each, what to do below it, and nothing that could move the cursor', async () => {
  const server = await chatServer({ listed: { id: 'evil\u001b[2J' } });
  const fresh = cleared(desk);
  const code = await doctor({ baseUrl: `${server.root}/v1`, model: 'm', usualServers: [] }, fresh);
  expect(code).toBe(0);
  expect(fresh.out.text).toMatch(/^ok {6}node {6}Node /);
  expect(fresh.out.text).toContain('no problem found');
  expect(fresh.out.text).not.toContain('\u001b');
});
