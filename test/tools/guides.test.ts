import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { packageRoot } from '../../config/package-root.js';
import { toolGuide } from '../../config/tool-guides.js';
import { endsWithGuide, framedGuide } from '../../messages/tool-guides.js';
import { SessionGuides } from '../../src/session-guides.js';
import { EVERYTHING, EXPLORER, workbench } from './workbench.js';

const GUIDED = readdirSync(join(packageRoot(), 'config', 'prompts', 'tool'))
  .map((file) => file.replace(/\.md$/, ''))
  .sort();

/** A box whose guides say `how to NAME`. */
const guided = () => {
  const guides = new SessionGuides(null, (tool) => `how to ${tool}`);
  return workbench({ guideFor: (agent, tool) => guides.first(agent, tool) });
};

test('the first result of a tool has its guide below it, later ones have none', async () => {
  const bench = guided();
  const outcomes = [1, 2].map(() => bench.run('shell', { command: 'echo hello' }));
  const texts = (await Promise.all(outcomes)).map(({ text }) => text);
  expect(texts).toEqual([
    '[exit: 0]\nhello\n<tool_guide name="shell">\nhow to shell\n</tool_guide>',
    '[exit: 0]\nhello',
  ]);
  const row = bench.facts.find(({ kind }) => kind === 'tool.outcome');
  expect(row?.body, 'on record as the model saw it').toMatchObject({ outcome: { text: texts[0] } });
});

test('each agent is given it', async () => {
  const bench = guided();
  bench.write('a.txt', 'a\n');
  expect((await bench.run('read_file', { path: 'a.txt' })).text).toContain('<tool_guide');
  // Answered from memory, which has the result without it.
  const again = await bench.run('read_file', { path: 'a.txt' }, { agent: EXPLORER });
  expect(again.text.match(/<tool_guide/g)).toHaveLength(1);
});

test('a call that failed has it too; one that was never run, or was cancelled, leaves it to the next', async () => {
  const bench = guided();
  const stopped = AbortSignal.abort();
  expect((await bench.run('read_file', { path: 7 })).text).not.toContain('<tool_guide');
  const cancelled = await bench.run('read_file', { path: 'no.txt' }, { signal: stopped });
  expect(cancelled.text).not.toContain('<tool_guide');
  const failed = await bench.run('read_file', { path: 'no.txt' });
  expect(failed).toMatchObject({ status: 'failed' });
  expect(endsWithGuide('read_file', failed.text)).toBe(true);
});

test('a long result is cut above its guide, which stays whole', async () => {
  const { text } = await guided().run('shell', { command: 'seq 20000' });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30_000);
  expect(text).toContain('read_output id=');
  expect(text.endsWith(framedGuide('shell', 'how to shell'))).toBe(true);
});

test('every guide is of a tool that there is, short, and does not repeat its description', () => {
  const tools = workbench(EVERYTHING).tools.definitions('main');
  expect(GUIDED).not.toEqual([]);
  for (const name of GUIDED) {
    const text = toolGuide(name) ?? '';
    const tool = tools.find((each) => each.name === name);
    expect(tool, name).toBeDefined();
    expect(countTokens(text), name).toBeLessThanOrEqual(120);
    for (const sentence of tool?.description.split(/(?<=\.) /) ?? [])
      expect(text).not.toContain(sentence);
  }
});

test('a tool without a file has no guide, and a strange name is no path', () => {
  expect(toolGuide('think')).toBeNull();
  expect(toolGuide('../system')).toBeNull();
});

test('what the guide of shell says is so', async () => {
  const bench = workbench();
  const text = async (command: string) => (await bench.run('shell', { command })).text;
  await text('mkdir sub; cd sub; kept=yes; say() { echo yes; }');
  expect(await text('pwd; echo "<$kept>"; type say')).toMatch(/\/sub\n<>\n.*say: not found/);
  expect(await text('false | tail -1')).toBe('[exit: 0]');
  expect(await text('sleep 60 &')).toContain('background processes of this command were ended');
});

test('what the guide of edit_file says is so', async () => {
  const bench = workbench();
  const file = { path: 'a.txt' };
  bench.write('a.txt', 'if (x) {\r\n    one\r\n}\r\n');
  await bench.run('read_file', file);
  const edits = [
    { ...file, old_string: 'one', new_string: 'two' },
    { ...file, old_string: '\ttwo\n}', new_string: '\tthree\n}' },
    { ...file, old_string: 'if (x) ', new_string: '' },
  ].map((args) => bench.run('edit_file', args));
  for (const { text, status } of await Promise.all(edits)) expect(status, text).toBe('ok');
  expect(readFileSync(join(bench.workspace, 'a.txt'), 'utf8')).toBe('{\r\n    three\r\n}\r\n');
});

test('what the guide of grep says is so', async () => {
  const bench = workbench();
  bench.write('.gitignore', 'out\n');
  for (const path of ['out/a.js', 'src/a.ts', 'src/deep/b.ts', '.hidden.lock'])
    bench.write(path, 'call(x)\n');
  const names = async (args: object) =>
    (await bench.run('grep', { pattern: 'call\\(x', ...args })).text.split('\n').sort();
  expect(await names({})).toEqual(['.hidden.lock', 'src/a.ts', 'src/deep/b.ts']);
  expect(await names({ include: '*.ts' })).toEqual(['src/a.ts', 'src/deep/b.ts']);
  expect(await names({ include: 'src/**/*.ts' })).toEqual(['src/a.ts', 'src/deep/b.ts']);
  expect(await names({ include: '!*.lock' })).toEqual(['src/a.ts', 'src/deep/b.ts']);
  expect(await names({ path: 'out/a.js' })).toEqual(['out/a.js']);
  expect(await names({ path: 'out' })).toEqual(['out/a.js']);
  for (const pattern of ['(?=call)', 'call(x', '(call)\\1'])
    expect((await bench.run('grep', { pattern })).status, pattern).toBe('failed');
});
