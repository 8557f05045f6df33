import { expect, test } from 'vitest';
import { MAX_LINE_BYTES } from '../../messages/control.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { byeLine, eventLine, SnapshotLines } from '../../src/control/server-lines.js';
import { factOf, logOf, RESULT, snapshotOf } from './control-fixture.js';

const sent = (snapshot: Snapshot): Snapshot => {
  const line = new SnapshotLines().event(snapshot);
  expect(Buffer.byteLength(line ?? '')).toBeLessThanOrEqual(MAX_LINE_BYTES);
  return (JSON.parse(line ?? 'null') as { data: Snapshot }).data;
};

test('a snapshot that fits is sent as it is, and encoded once', () => {
  const snapshot = snapshotOf(3, { log: [logOf(1, 'hello')] });
  expect(sent(snapshot)).toEqual(snapshot);
  const lines = new SnapshotLines();
  expect(JSON.parse(lines.reply(9, snapshot) ?? '')).toEqual({ id: 9, ok: true, data: snapshot });
});

test('a snapshot that is too large loses its oldest log entries, and no more than it must', () => {
  const log = Array.from({ length: 300 }, (_, n) => logOf(n, '漢'.repeat(2_000)));
  const whole = snapshotOf(1, { log, result: 'three' });
  const { log: kept, ...rest } = sent(whole);
  expect(rest).toEqual({ ...whole, log: undefined });
  expect(kept).toEqual(log.slice(-kept.length));
  const oneMore = { ...whole, log: log.slice(-kept.length - 1) };
  expect(Buffer.byteLength(JSON.stringify(oneMore))).toBeGreaterThan(MAX_LINE_BYTES - 1_000);
});

test('a snapshot whose log is not the reason is shortened elsewhere', () => {
  const discoveries = Array.from({ length: 3_000 }, (_, n) => ({
    title: `finding ${n}`,
    description: 'd'.repeat(1_000),
  }));
  const { discoveries: kept } = sent(snapshotOf(1, { discoveries }));
  expect(kept).toEqual(discoveries.slice(-kept.length));
  expect(sent(snapshotOf(1, { result: 'r'.repeat(2 ** 21) })).result).toMatch(/\[shortened\]$/);
});

test('an event longer than a line is not encoded', () => {
  expect(eventLine({ ev: 'fact', data: factOf('x'.repeat(MAX_LINE_BYTES)) })).toBeNull();
  expect(eventLine({ ev: 'fact', data: factOf('x') })).toContain('"x"');
});

test('the farewell keeps its result, with a shorter text if it must', () => {
  const text = 't'.repeat(2 ** 21);
  expect(JSON.parse(byeLine({ ...RESULT, text }))).toMatchObject({
    ev: 'bye',
    data: { result: { exit_code: 0, text: expect.stringMatching(/\[shortened\]$/) as string } },
  });
});
