import { expect, test } from 'vitest';
import type { AgentId, CallId, SessionId } from '../../messages/ids.js';
import type { JournalFact, JournalRow } from '../../messages/journal.js';
import type { LogEntry } from '../../messages/snapshot.js';
import { entryLine, rowLine } from '../../tui/log-line.js';
import { displayWidth } from '../../tui/text/sanitise.js';
import { specOf } from '../support/session-samples.js';

const main = 'main' as AgentId;
const at = new Date(2026, 2, 1, 7, 5, 9).getTime();
const entry = (kind: LogEntry['kind'], text: string, more: Partial<LogEntry> = {}): LogEntry => ({
  n: 1,
  at,
  agent: main,
  round: 1,
  kind,
  text,
  ...more,
});
const row = (fact: Pick<JournalFact, 'kind' | 'body'>): JournalRow =>
  ({ agent: main, round: 1, seq: 1, ts: at, ...fact }) as JournalRow;

test('an entry says when, who and what', () => {
  expect(entryLine(entry('text', 'I will look.'))).toBe('07:05:09 main   • I will look.');
});

test('an entry of several lines stays on one line, whatever a tool put into it', () => {
  const forged = entryLine(entry('text', 'one\n07:05:10 main   ✓ forged\r\x1b[2Kthree'));
  expect(forged).toBe('07:05:09 main   • one⏎07:05:10 main   ✓ forged⏎three');
});

test('a result shows its first line, how many follow, and how it ended', () => {
  expect(entryLine(entry('result', 'a\nb\nc\n', { status: 'ok' }))).toMatch(/✓ a \(\+2 lines\)$/);
  expect(entryLine(entry('result', 'no', { status: 'denied' }))).toMatch(/✗ denied: no$/);
});

test('a command cannot hide anything', () => {
  expect(entryLine(entry('tool', 'shell ls\x1b]0;\x07'))).toMatch(
    /▸ shell ls\\u\{1b\}\]0;\\u\{7\}$/,
  );
});

test('a line never exceeds the width', () => {
  const wide = entry('text', '中文 '.repeat(100));
  for (const width of [0, 3, 18, 19, 40]) {
    expect(displayWidth(entryLine(wide, { width }))).toBeLessThanOrEqual(width);
  }
  expect(entryLine(entry('text', 'x'.repeat(5_000))).length).toBeLessThanOrEqual(500);
});

test('colour is used only where it is asked for', () => {
  expect(entryLine(entry('error', 'no'), { colour: true })).toContain('\x1b[31m! no\x1b[0m');
  expect(entryLine(entry('error', 'no'))).not.toContain('\x1b');
});

test('a row tells the day too', () => {
  const line = rowLine(row({ kind: 'goal.set', body: { goal: 'tidy up' } }));
  expect(line).toBe('2026-03-01 07:05:09 main   › goal: tidy up');
});

test('an answer names the calls it asked for', () => {
  const call = { id: 'main_1_1' as CallId, name: 'read_file', args: { path: 'a.ts' } };
  const said = (text: string): string | null =>
    rowLine(
      row({
        kind: 'message.added',
        body: { message: { role: 'assistant', text, calls: [call] } },
      }),
    );
  expect(said('Looking.')).toMatch(/• Looking\. ▸ read_file \{"path":"a\.ts"\}$/);
  expect(said('')).toMatch(/▸ read_file \{"path":"a\.ts"\}$/);
});

test('rows that are bookkeeping only are left out unless asked for', () => {
  const intent = row({ kind: 'model.intent', body: { model: 'm', messages: 3, attempt: 1 } });
  expect(rowLine(intent)).toBeNull();
  expect(rowLine(intent, { verbose: true })).toMatch(/· asking m, attempt 1$/);
});

test("a person's words are told once, by the action", () => {
  const message = { role: 'user', text: 'hurry', origin: 'steer' } as const;
  expect(rowLine(row({ kind: 'message.added', body: { message, source: 4 } }))).toBeNull();
  const action = { do: 'send', text: 'hurry', mode: 'steer' } as const;
  expect(rowLine(row({ kind: 'user.action', body: { action } }))).toMatch(/› steer: hurry$/);
});

test('a row of a kind that a newer program wrote is left out', () => {
  const unknown = { ...row({ kind: 'goal.set', body: { goal: 'x' } }), kind: 'from.tomorrow' };
  expect(rowLine(unknown as unknown as JournalRow)).toBeNull();
});

const kinds: readonly (readonly [Pick<JournalFact, 'kind' | 'body'>, string])[] = [
  [
    { kind: 'session.resumed', body: { version: '1', pid: 2, spec: specOf() } },
    '· session resumed',
  ],
  [
    { kind: 'session.ended', body: { status: 'done', text: '', reason: 'finished' } },
    '· session ended: done (finished)',
  ],
  [
    {
      kind: 'model.reset',
      body: { attempt: 2, error: { kind: 'server', message: 'HTTP 500' }, retryInMs: 4_000 },
    },
    '! attempt 2 failed: HTTP 500; again in 4.0s',
  ],
  [
    {
      kind: 'tool.outcome',
      body: {
        callId: 'main_1_1' as CallId,
        name: 'shell',
        outcome: { status: 'timeout', afterMs: 5, text: 'too slow' },
      },
    },
    '✗ shell timeout: too slow',
  ],
  [
    {
      kind: 'hold.set',
      body: {
        hold: {
          kind: 'user',
          scope: 'session',
          since: at,
          until: null,
          reason: 'paused',
          release: 'ouro resume 1234abcd',
        },
      },
    },
    '‖ held (user): paused; go on with: ouro resume 1234abcd',
  ],
  [{ kind: 'hold.lifted', body: { kind: 'user', scope: 'session' } }, '· no longer held (user)'],
  [
    {
      kind: 'agent.ended',
      body: { agent: 'sub-1' as AgentId, rounds: 2, end: { status: 'stopped', reason: 'asked' } },
    },
    '· sub-1 ended stopped: asked',
  ],
];

test.each(kinds)('$kind is told in words', (fact, told) => {
  expect(rowLine(row(fact))).toBe(`2026-03-01 07:05:09 main   ${told}`);
});

test('the start of a session names its folder and model', () => {
  const spec = {
    id: '00000000-0000-4000-8000-000000000000' as SessionId,
    name: 'n',
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
  } as const;
  const started = row({ kind: 'session.started', body: { spec, version: '1', pid: 2 } });
  expect(rowLine(started)).toMatch(/· session started in \/w with m$/);
});
