import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ObservedFact } from '../../messages/coordinator.js';
import type { AgentId, CallId, SessionId } from '../../messages/ids.js';
import type { Hold } from '../../messages/pause.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { createHeadless, type HeadlessOptions } from '../../tui/headless.js';
import { exampleResult } from './headless-example.js';

const session = exampleResult.session_id as SessionId;
const agent = 'main' as AgentId;
const callId = 'main_1_1' as CallId;
const at = new Date(2026, 2, 1, 7, 5, 9).getTime();
const start = {
  spec: {
    id: session,
    name: 'tidy',
    workspace: '/w',
    model: 'm',
    baseUrl: 'http://x/v1',
    rehearsal: null,
    local: false,
    onQuestion: 'deny',
    sharesWorkspace: false,
    permissions: { mode: 'default', allow: [] },
    limits: { maxRounds: null, maxTimeMs: null },
    startedAt: at,
  },
  goal: 'tidy up',
  version: '0.1.0',
  capabilities: [],
  sandbox: 'off',
  at,
} as const;
const hold: Hold = {
  kind: 'user',
  scope: 'session',
  since: at,
  until: null,
  reason: 'paused by you',
  release: 'ouro resume aaaaaaaa',
};
const said = (words: string): ObservedFact => ({
  type: 'agent.said',
  agent,
  round: 1,
  text: words,
  reasoning: 'hm',
  calls: [],
  at,
});
const started: ObservedFact = {
  type: 'tool.started',
  agent,
  round: 1,
  callId,
  name: 'shell',
  summary: 'shell make',
  at,
};
const finished: ObservedFact = {
  type: 'tool.finished',
  agent,
  round: 1,
  callId,
  name: 'shell',
  outcome: { status: 'ok', text: '[exit: 0]\nbuilt\n', truncated: false },
  at: at + 4_200,
};

async function open(options: Partial<HeadlessOptions> = {}) {
  const out = new PassThrough();
  const err = new PassThrough();
  const headless = await createHeadless({
    session,
    out,
    err,
    outputFormat: 'text',
    logFormat: 'pretty',
    level: 'normal',
    colour: false,
    now: () => at,
    ...options,
  });
  const printed = async (): Promise<[string, string]> => {
    out.end();
    err.end();
    return [await text(out), await text(err)];
  };
  return { headless, printed };
}

const parsed = (lines: string): Record<string, unknown>[] =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('stdout holds the result text alone, and stderr one line for each event', async () => {
  const { headless, printed } = await open();
  headless.onStart(start);
  const facts: ObservedFact[] = [
    said('I will build.\nThen test.'),
    started,
    finished,
    {
      type: 'model.reset',
      agent,
      round: 2,
      attempt: 1,
      error: { kind: 'server', message: 'HTTP 500' },
      retryInMs: 2_000,
      at,
    },
    { type: 'pause.changed', holds: [hold], at },
    { type: 'pause.changed', holds: [hold], at },
    { type: 'pause.changed', holds: [], at },
  ];
  facts.forEach((fact) => headless.onFact(fact));
  await headless.onResult(exampleResult);
  const [out, err] = await printed();
  expect(out).toBe('All tidy.\n');
  expect(err.split('\n')).toEqual([
    '07:05:09 main   · ouro 0.1.0, session aaaaaaaa in /w, model m at http://x/v1, permission mode default, sandbox off, no limits; goal: tidy up',
    '07:05:09 main   • I will build.⏎Then test.',
    '07:05:09 main   ▸ shell make',
    '07:05:13 main   ✓ shell 4.2s: [exit: 0] (+1 line)',
    '07:05:09 main   ! attempt 1 failed (server): HTTP 500; again in 2.0s',
    '07:05:09 main   ‖ held (user): paused by you; go on with: ouro resume aaaaaaaa',
    '07:05:09 main   · no longer held (user)',
    'done: 4 rounds, 1,200 tokens in (100 cached), 300 out, cost unknown, 37s',
    '  changed   a.ts',
    '  denied    shell rm x (default)',
    '  go on     ouro resume aaaaaaaa',
    '  look      ouro logs aaaaaaaa',
    '',
  ]);
});

test('with json the result is the only line', async () => {
  const { headless, printed } = await open({ outputFormat: 'json' });
  headless.onFact(said('hello'));
  await headless.onResult(exampleResult);
  const [out] = await printed();
  expect(parsed(out)).toEqual([exampleResult]);
});

test('with stream-json the result is the last line, whatever comes after it', async () => {
  const { headless, printed } = await open({ outputFormat: 'stream-json' });
  headless.onStart(start);
  headless.onFact(said('hello'));
  await headless.onResult(exampleResult);
  headless.onFact(said('too late'));
  await headless.onResult({ ...exampleResult, status: 'stopped' });
  const [out] = await printed();
  expect(parsed(out).map((line) => line.type)).toEqual(['init', 'reasoning', 'message', 'result']);
});

test('JSON log lines name time, level, session, agent and event', async () => {
  const { headless, printed } = await open({ logFormat: 'json' });
  headless.onFact(started);
  headless.onFact(finished);
  await headless.onResult({ ...exampleResult, status: 'stuck', is_error: true, exit_code: 54 });
  const [, err] = await printed();
  const ts = new Date(at).toISOString();
  expect(parsed(err)).toMatchObject([
    { ts, level: 'info', session, agent, event: 'tool.started', tool: 'shell', msg: 'shell make' },
    { level: 'info', event: 'tool.finished', status: 'ok', ms: 4_200 },
    { level: 'error', event: 'session.ended', status: 'stuck', exit_code: 54 },
  ]);
});

test('quiet says nothing unless it failed', async () => {
  const quiet = await open({ level: 'quiet' });
  quiet.headless.onStart(start);
  quiet.headless.onFact(finished);
  await quiet.headless.onResult(exampleResult);
  expect((await quiet.printed())[1]).toBe('');

  const failed = await open({ level: 'quiet' });
  await failed.headless.onResult({ ...exampleResult, status: 'stuck', is_error: true });
  expect((await failed.printed())[1]).toMatch(/ ! stuck \(finished\): 4 rounds/);
});

test('verbose adds what the model thinks', async () => {
  const { headless, printed } = await open({ level: 'verbose' });
  headless.onFact(said('hello'));
  headless.close();
  expect((await printed())[1]).toMatch(/ ~ hm\n.* • hello\n$/);
});

test('a scripted run says so first', async () => {
  const { headless, printed } = await open();
  headless.onStart({ ...start, spec: { ...start.spec, rehearsal: 'survey' } });
  headless.close();
  expect((await printed())[1]).toContain('model m scripted by survey, no real model');
});

test('the result waits for a reader that is slow', async () => {
  const read: string[] = [];
  const out = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _, done) {
      setImmediate(() => {
        read.push(chunk.toString());
        done();
      });
    },
  });
  const { headless } = await open({ out, outputFormat: 'stream-json' });
  for (let n = 0; n < 50; n += 1) headless.onFact(said('hello'));
  await headless.onResult(exampleResult);
  expect(parsed(read.join('')).at(-1)).toEqual(exampleResult);
});

test('a stream that is gone already ends the run without an error', async () => {
  const out = new PassThrough();
  out.destroy();
  const { headless } = await open({ out });
  headless.onFact(said('hello'));
  await headless.onResult(exampleResult);
});

describe('while nothing happens', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  const snapshot: Snapshot = {
    version: 1,
    session,
    name: 'tidy',
    goal: 'tidy up',
    workspace: '/w',
    model: 'm',
    baseUrl: 'http://x/v1',
    scripted: false,
    permissionMode: 'default',
    state: 'running',
    startedAt: at,
    holds: [],
    agents: [
      {
        id: agent,
        parent: null,
        task: '',
        phase: 'asking',
        detail: '',
        until: null,
        model: 'm',
        round: 3,
        promptTokens: 0,
        completionTokens: 0,
        contextTokens: 0,
        end: null,
      },
    ],
    calls: [],
    sandbox: 'off',
    questions: [],
    discoveries: [],
    log: [],
    totals: {
      rounds: 3,
      promptTokens: 0,
      completionTokens: 0,
      cachedTokens: 0,
      toolCalls: 0,
      denials: 0,
      costUsd: null,
    },
    maxRounds: null,
    inbox: { depth: 0, highWater: 0, capacity: 256, deadLetters: 0 },
    result: null,
  };

  test('a line a minute says what is being waited for', async () => {
    let now = at;
    const { headless, printed } = await open({ now: () => now });
    headless.onFact({ type: 'agent.status', agent, phase: 'asking', round: 3, at });
    headless.onSnapshot(snapshot);
    now = at + 60_000;
    vi.advanceTimersByTime(60_000);
    const call = { callId, agent, name: 'shell', summary: 'shell make', startedAt: at };
    headless.onSnapshot({ ...snapshot, agents: [], calls: [call] });
    now = at + 120_000;
    vi.advanceTimersByTime(60_000);
    headless.onSnapshot({ ...snapshot, state: 'held', holds: [hold] });
    vi.advanceTimersByTime(60_000);
    headless.close();
    vi.advanceTimersByTime(600_000);
    const [, err] = await printed();
    expect(err.trimEnd().split('\n')).toEqual([
      '07:06:09 main   · main: round 3, waiting for the model for 1m00s',
      '07:07:09 main   · main: running for 2m00s: shell make',
      expect.stringContaining('· held (user): paused by you; go on with: ouro resume aaaaaaaa'),
    ]);
  });
});

const program = fileURLToPath(new URL('headless-run.ts', import.meta.url));
const node = `"${process.execPath}" --import tsx "${program}"`;
const sh = (command: string) => promisify(execFile)('bash', ['-c', command]);

test('a reader that closes the pipe early does not end the run', async () => {
  const { stdout } = await sh(`${node} 2>/dev/null | head -n 1; echo "\${PIPESTATUS[0]}"`);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toContain('"type":"message"');
  expect(lines[1]).toBe('7');
});

test('a log reader that closes the pipe early does not end the run', async () => {
  const { stdout } = await sh(`{ ${node} json 2>&1 >&3 | head -n 1 >/dev/null; } 3>&1 | tail -n 1`);
  expect(JSON.parse(stdout)).toMatchObject({ type: 'result', status: 'done' });
});
