import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Planning } from '../../src/session/planning.js';
import { workbench } from './workbench.js';

const written = { path: 'a.txt', content: 'x' };

test('while a session plans nothing is written, and the error says how to begin', async () => {
  const bench = workbench({ planning: new Planning(null) });
  for (const [name, args] of [
    ['write_file', written],
    ['shell', { command: 'touch a.txt' }],
    ['delegate', { task: 'write it' }],
  ] as const) {
    const outcome = await bench.run(name, args);
    expect(outcome).toMatchObject({ status: 'failed', reason: 'refused' });
    expect(outcome.text).toContain('submit_plan');
  }
  expect(existsSync(join(bench.workspace, 'a.txt'))).toBe(false);
  expect(bench.delegated).toEqual([]);
  expect(await bench.run('list_dir', { path: '.' })).toMatchObject({ status: 'ok' });
  expect(await bench.run('delegate', { task: 'look', type: 'explore' })).toMatchObject({
    status: 'ok',
  });
});

test('once the plan is submitted everything may be used, and a second plan is refused', async () => {
  const bench = workbench({ planning: new Planning(null) });
  const plan = { summary: '1. write a.txt' };
  expect(await bench.run('submit_plan', plan)).toMatchObject({ status: 'ok' });
  expect(await bench.run('write_file', written)).toMatchObject({ status: 'ok' });
  expect((await bench.run('submit_plan', plan)).text).toContain('planning is over already');
});

test('a plan that is too long is an error that names the limit', async () => {
  const bench = workbench({ planning: new Planning(null) });
  const outcome = await bench.run('submit_plan', { summary: 'x'.repeat(20_001) });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'bad-args' });
  expect(outcome.text).toContain('20000');
});

test('only sessions that plan have submit_plan, and only for the main agent', () => {
  const names = (planning?: Planning, kind: 'main' | 'worker' = 'main') =>
    workbench(planning === undefined ? {} : { planning })
      .tools.definitions(kind)
      .map(({ name }) => name);
  expect(names()).not.toContain('submit_plan');
  expect(names(new Planning(null))).toContain('submit_plan');
  expect(names(new Planning(null), 'worker')).not.toContain('submit_plan');
});
