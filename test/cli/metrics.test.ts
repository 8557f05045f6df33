import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { metrics } from '../../src/cli/metrics.js';
import { journalFile } from '../../src/store/journal-file.js';
import { sessionDir } from '../../src/store/layout.js';
import { file, oneByOne, shell, times } from '../metrics/session-rows.js';
import { cleared, jsonOf, newDesk, startSession } from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';
const TWO = 'bbbb2222-0000-4000-8000-000000000002';

const lines = (text: string): string[] => text.split('\n').slice(0, -1);
const work = oneByOne(...times(12, file('read_file', 'a')), shell('cat a'));

test('each measure is one line with its verdict, value, target and counts', async () => {
  const desk = newDesk();
  const session = await startSession(desk, ONE, { name: 'a \u001b[31mname' });
  await session.journal.append(work);
  await session.end();
  expect(await metrics({}, desk)).toBe(0);
  const [head = '', first = '', ...rest] = lines(desk.out.text);
  expect(head).toMatch(/^aaaa1111 {2}a .*name$/);
  expect(desk.out.text).not.toContain('\u001b');
  expect(first).toMatch(
    /^not enough data +7\.7 % +< 5 % +file reads .*\(through shell 1, all 13\)$/,
  );
  expect(rest).toHaveLength(6);
  expect(desk.err.text).toBe('');
});

test('all sessions of the folder can be measured together', async () => {
  const desk = newDesk();
  for (const id of [ONE, TWO]) {
    const session = await startSession(desk, id);
    await session.journal.append(work);
    await session.end();
  }
  expect(await metrics({}, cleared(desk))).toBe(2);
  expect(await metrics({ all: true, id: 'aaaa' }, cleared(desk))).toBe(2);
  expect(await metrics({ all: true, json: true }, desk)).toBe(0);
  const { sessions, metrics: measured } = jsonOf(desk) as {
    sessions: { id: string }[];
    metrics: unknown[];
  };
  expect(sessions.map(({ id }) => id).sort()).toEqual([ONE, TWO]);
  expect(measured).toHaveLength(7);
  expect(measured[0]).toEqual({
    name: 'shell_reads',
    title: 'file reads and searches done through the shell',
    target: '< 5 %',
    value: 2 / 26,
    unit: 'share',
    verdict: 'fail',
    counts: { through_shell: 2, all: 26 },
  });
});

test('a journal that cannot be read is the reason of a failure, and left out of a sum', async () => {
  const desk = newDesk();
  for (const id of [ONE, TWO]) {
    const session = await startSession(desk, id);
    await session.journal.append(work);
    await session.end();
    if (id === TWO) writeFileSync(journalFile(sessionDir(desk.home, session.id)), 'not a journal');
  }
  const alone = cleared(desk);
  expect(await metrics({ id: 'bbbb' }, alone)).toBe(1);
  expect(alone.out.text).toBe('');
  expect(await metrics({ all: true }, desk)).toBe(0);
  expect(desk.out.text).toContain('(through shell 1, all 13)');
  expect(desk.err.text).toContain('left out bbbb2222');
});

test('a folder in which nothing has worked yet has nothing to measure', async () => {
  const desk = newDesk();
  expect(await metrics({}, cleared(desk))).toBe(1);
  expect(await metrics({ all: true }, desk)).toBe(0);
  expect(desk.out.text).toContain('no session worked in this folder');
});
