import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAIN_AGENT, type CallId } from '../../messages/ids.js';
import type { JournalFact } from '../../messages/journal.js';
import { EVERYTHING, EXPLORER, workbench } from './workbench.js';

const EXPLORE = ['find_files', 'grep', 'list_dir', 'read_file', 'think'];
const FIRST = [
  ...['edit_file', 'find_files', 'grep', 'list_dir', 'read_file', 'shell', 'think', 'write_file'],
];
const ALL = [...FIRST, 'read_output', 'record_discovery', 'submit', 'delegate'];
const PROCESS = ['process_kill', 'process_list', 'process_output', 'process_write'];

const kinds = (facts: readonly JournalFact[]): string[] => facts.map(({ kind }) => kind);

test('the main agent has every tool, an exploring one those that read', () => {
  const { tools } = workbench();
  expect(tools.definitions('main').map(({ name }) => name)).toEqual(ALL);
  expect(tools.definitions('explore').map(({ name }) => name)).toEqual(EXPLORE);
});

test('a tool is there only where what it needs is there, by tier and then by name', () => {
  const { tools } = workbench(EVERYTHING);
  expect(tools.definitions('main').map(({ name }) => name)).toEqual([
    ...FIRST,
    ...['ask_user', ...PROCESS, 'read_output', 'record_discovery', 'sleep', 'submit', 'todo'],
    ...['web_fetch', 'web_search', 'delegate'],
  ]);
  expect(tools.definitions('explore').map(({ name }) => name)).toEqual(EXPLORE);
  const onlyFetch = workbench({ web: { ...EVERYTHING.web, search: null } });
  const names = onlyFetch.tools.definitions('main').map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('web'))).toEqual(['web_fetch']);
});

test('definitions are the same bytes every time, and all of them together are small', () => {
  const bytes = JSON.stringify(workbench(EVERYTHING).tools.definitions('main'));
  expect(JSON.stringify(workbench(EVERYTHING).tools.definitions('main'))).toBe(bytes);
  expect(bytes.length / 3.5).toBeLessThan(1850);
  expect(bytes).not.toMatch(/\$schema|9007199254740991/);
});

test('parameters and the defaults that say something are advertised', () => {
  const shown = workbench(EVERYTHING)
    .tools.definitions('main')
    .map(({ name, parameters }) => {
      const properties = parameters['properties'] as Record<string, { default?: unknown }>;
      const required = (parameters['required'] ?? []) as string[];
      const all = Object.entries(properties).map(([parameter, { default: value }]) => {
        if (required.includes(parameter)) return `${parameter}!`;
        return value === undefined ? parameter : `${parameter}=${String(value)}`;
      });
      return [name, ...all].join(' ');
    });
  expect(shown).toEqual([
    'edit_file path! old_string! new_string! replace_all',
    'find_files pattern! path limit=100',
    'grep pattern! path include mode=files limit=100 context_lines case_insensitive',
    'list_dir path! depth=2 limit=50 offset',
    'read_file path! offset limit=2000',
    'shell command! timeout=120 working_dir background',
    'think thought!',
    'write_file path! content!',
    'ask_user prompt! choices editable timeout',
    'process_kill id!',
    'process_list',
    'process_output id! offset tail=50',
    'process_write id! data!',
    'read_output id! offset limit=2000',
    'record_discovery title! description!',
    'sleep mode! seconds agent_id process_id path',
    'submit summary! outcome!',
    'todo action! task index',
    'web_fetch url! prompt! max_tokens=2000',
    'web_search query! limit=5',
    'delegate task! type=explore context',
  ]);
});

test('an effect begins only when its intent is on disk', async () => {
  const written: string[] = [];
  let commit: (seq: number) => void = () => undefined;
  const bench = workbench({
    journal: {
      append: (facts) => {
        written.push(...kinds(facts));
        return new Promise((resolve) => (commit = resolve));
      },
    },
  });
  const file = join(bench.workspace, 'a');
  const call = bench.start('write_file', { path: 'a', content: 'x' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([written, existsSync(file)]).toEqual([['tool.intent'], false]);
  commit(1);
  const { outcome, committed } = await call;
  expect([outcome.status, existsSync(file)]).toEqual(['ok', true]);
  expect(written).toEqual(['tool.intent', 'tool.outcome']);
  commit(2);
  expect(await committed).toBe(2);
});

test('the rows name the call as the model did', async () => {
  const bench = workbench();
  await bench.run('Write', { file_path: 'a', content: 'x' });
  const about = { agent: MAIN_AGENT, round: 1 };
  const body = { callId: 'main_1_1', name: 'Write' };
  expect(bench.facts).toEqual([
    { kind: 'tool.intent', ...about, body: { ...body, effect: 'write' } },
    {
      kind: 'tool.outcome',
      ...about,
      body: { ...body, outcome: { status: 'ok', text: 'Wrote 1 line to a', truncated: false } },
    },
  ]);
});

test('a journal that cannot write keeps the effect from happening', async () => {
  const bench = workbench({ journal: { append: () => Promise.reject(new Error('disk full')) } });
  const { outcome, committed } = await bench.start('write_file', { path: 'a', content: 'x' });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'crashed' });
  await expect(committed).rejects.toThrow('disk full');
  expect(existsSync(join(bench.workspace, 'a'))).toBe(false);
});

test('a tool nobody knows is answered with those there are', async () => {
  const bench = workbench();
  expect(await bench.run('fly', {})).toEqual({
    status: 'failed',
    reason: 'unknown-tool',
    text: `Error: unknown tool 'fly'. Available tools: ${ALL.join(', ')}`,
  });
  expect(kinds(bench.facts)).toEqual(['tool.outcome']);
  for (const name of ['__proto__', 'constructor', 'toString', 'x'.repeat(10_000), '']) {
    const outcome = await bench.run(name, {});
    expect(outcome).toMatchObject({ status: 'failed', reason: 'unknown-tool' });
    expect(outcome.text.length).toBeLessThan(500);
  }
});

test('arguments that do not fit are answered with the parameters', async () => {
  const bench = workbench();
  const outcome = await bench.run('grep', { path: 5, mode: 'all' });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'bad-args' });
  expect(outcome.text).toMatch(/^Error: argument validation failed for tool 'grep':\n- pattern: /);
  expect(outcome.text).toContain('\nParameters of grep: pattern (string, required), path (string)');
  expect(kinds(bench.facts)).toEqual(['tool.outcome']);
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a list', [1]],
  ['text', 'path'],
  ['a prototype', JSON.parse('{"path": "a", "__proto__": {"x": 1}}')],
  ['deep nesting', { path: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown }],
  ['a huge unknown name', { ['k'.repeat(100_000)]: 1 }],
])('%s instead of arguments is an ordinary error', async (_, args) => {
  const outcome = await workbench().run('read_file', args);
  expect(outcome).toMatchObject({ status: 'failed', reason: 'bad-args' });
  expect(outcome.text.length).toBeLessThan(2000);
});

test('arguments that were not JSON are quoted in part, with the parameters', async () => {
  const bench = workbench();
  const invalid = `{"path": "a${'x'.repeat(1000)}`;
  const outcome = await bench.run('read_file', {}, { invalid });
  expect(outcome).toMatchObject({ status: 'failed', reason: 'bad-args' });
  expect(outcome.text).toContain('are not valid JSON. Sent: {"path": "ax');
  expect(outcome.text).toContain('Parameters of read_file: path (string, required)');
  expect(outcome.text.length).toBeLessThan(600);
});

test('a call the rules deny is not run, and the model is told what they say', async () => {
  const verdict = { allowed: false as const, rule: 'deny write', text: 'Denied: ask a person.' };
  const bench = workbench({ judge: { judge: () => verdict } });
  expect(await bench.run('write_file', { path: 'a', content: '' })).toEqual({
    status: 'denied',
    rule: 'deny write',
    text: 'Denied: ask a person.',
  });
  expect(kinds(bench.facts)).toEqual(['tool.outcome']);
  expect(existsSync(join(bench.workspace, 'a'))).toBe(false);
});

test('rules judge the path that is really meant', async () => {
  const bench = workbench();
  await bench.run('read_file', { path: 'x/../src/./a.ts' });
  await bench.run('grep', { pattern: 'x' });
  expect(bench.judged).toEqual([
    { tool: 'read_file', effect: 'read', subject: 'src/a.ts', cwd: bench.workspace },
    { tool: 'grep', effect: 'read', subject: '.', cwd: bench.workspace },
  ]);
});

test.each(ALL.filter((name) => !EXPLORE.includes(name)))(
  'an exploring agent is refused %s even when it asks',
  async (name) => {
    const bench = workbench();
    const outcome = await bench.run(name, { path: 'a', content: '' }, { agent: EXPLORER });
    expect(outcome).toMatchObject({ status: 'failed', reason: 'refused' });
    expect(outcome.text).toContain(`Available tools: ${EXPLORE.join(', ')}`);
  },
);

test('a call cancelled before it began is not run', async () => {
  const bench = workbench();
  const signal = AbortSignal.abort();
  const outcome = await bench.run('write_file', { path: 'a', content: '' }, { signal });
  expect(outcome).toMatchObject({ status: 'cancelled' });
  expect(kinds(bench.facts)).toEqual(['tool.outcome']);
});

test('a call cancelled while its intent was written is not run', async () => {
  const cancel = new AbortController();
  const bench = workbench({
    journal: {
      append: () => {
        cancel.abort();
        return Promise.resolve(1);
      },
    },
  });
  const { signal } = cancel;
  const outcome = await bench.run('write_file', { path: 'a', content: '' }, { signal });
  expect(outcome).toMatchObject({ status: 'cancelled' });
  expect(existsSync(join(bench.workspace, 'a'))).toBe(false);
});

test('secrets are taken out before the result is journaled or returned', async () => {
  const secret = 'hunter2-hunter2';
  const bench = workbench({ environment: { PATH: process.env['PATH'], DB_PASSWORD: secret } });
  bench.write('.env', `DB=${secret}\n`);
  const outcome = await bench.run('read_file', { path: '.env' });
  expect(outcome.text).toBe('L1: DB=[redacted:DB_PASSWORD]');
  expect(JSON.stringify(bench.facts)).not.toContain(secret);
});

const plan = (name: string, args: unknown, agent = MAIN_AGENT): unknown => {
  const bench = workbench(EVERYTHING);
  return JSON.parse(
    JSON.stringify(bench.tools.plan(agent, { id: 'c' as CallId, name, args })).replaceAll(
      bench.workspace,
      'WORKSPACE',
    ),
  );
};

test.each([
  ['read_file', { path: 'a' }, 'read', [], false, 'read_file a'],
  [
    'edit_file',
    { path: 'a', old_string: 'x', new_string: 'y' },
    'write',
    ['file/WORKSPACE/a'],
    false,
    'edit_file a',
  ],
  [
    'Write',
    { file_path: 'b/../a', content: '' },
    'write',
    ['file/WORKSPACE/a'],
    false,
    'write_file b/../a',
  ],
  ['grep', { pattern: 'x', path: 'src' }, 'read', [], false, 'grep x in src'],
  ['find_files', { pattern: '*' }, 'read', [], false, 'find_files * in .'],
  ['list_dir', { path: '.' }, 'read', [], false, 'list_dir .'],
  ['shell', { command: 'a\n  b' }, 'execute', ['shell/main'], false, 'shell a b'],
  ['think', { thought: 'hm' }, 'none', [], false, 'think hm'],
  ['record_discovery', { title: 't', description: 'd' }, 'none', [], false, 'record_discovery t'],
  ['submit', { summary: 's', outcome: 'done' }, 'none', [], false, 'submit done'],
  ['delegate', { task: 'look' }, 'read', [], true, 'delegate look'],
  ['ask_user', { prompt: 'which?' }, 'none', [], true, 'ask_user which?'],
  ['sleep', { mode: 'timer', seconds: 5 }, 'none', [], true, 'sleep timer 5s'],
  ['sleep', { mode: 'event', process_id: 'p1' }, 'none', [], true, 'sleep event p1'],
  ['todo', { action: 'add', task: 'x' }, 'none', ['todo'], false, 'todo add x'],
  ['read_output', { id: 'main_1_1' }, 'none', [], false, 'read_output main_1_1'],
  ['process_list', {}, 'none', [], false, 'process_list'],
  ['process_output', { id: 'p1' }, 'none', [], false, 'process_output p1'],
  [
    'process_write',
    { id: 'p1', data: 'x' },
    'execute',
    ['process/p1'],
    false,
    'process_write p1 x',
  ],
  ['process_kill', { id: 'p1' }, 'none', [], false, 'process_kill p1'],
  ['web_fetch', { url: 'http://a', prompt: 'b' }, 'read', [], false, 'web_fetch http://a'],
  ['web_search', { query: 'a' }, 'read', [], false, 'web_search a'],
  ['delegate', {}, 'read', [], false, 'delegate'],
  ['nonsense\u001b[2J', null, 'none', [], false, '"nonsense\\u001b[2J"'],
  ['write_file', { path: '../x', content: '' }, 'write', [], false, 'write_file ../x'],
])('the plan of %s %j', (name, args, effect, locks, waits, summary) => {
  expect(plan(name, args)).toEqual({ effect, locks, waits, summary });
});

test('a summary is one short line whatever the command', () => {
  const { tools } = workbench();
  const call = { id: 'c' as CallId, name: 'shell', args: { command: 'x \n'.repeat(1000) } };
  const { summary } = tools.plan(MAIN_AGENT, call);
  expect(summary).toMatch(/^shell x x .*…$/);
  expect(summary.length).toBeLessThan(200);
});

test.each([
  ['Read', { file_path: 'a.ts', limit: '1' }],
  ['file_read', { path: 'a.ts', count: 1 }],
  ['Bash', { command: 'cat a.ts', timeout: 120_000, description: 'show it' }],
  ['shell_exec', { cmd: 'cat a.ts', timeout: null }],
  ['Grep', { pattern: 'CODE', output_mode: 'content', glob: '*.ts', '-i': true, '-n': true }],
  ['grep', { pattern: 'code', case_insensitive: 'true', count: 5 }],
  ['Glob', { pattern: '*.ts' }],
  ['LS', { path: '.' }],
  ['list_files', { path: '.', count: '3' }],
  ['Edit', { file_path: 'a.ts', old_string: 'code', new_string: 'x' }],
  ['file_write', { path: 'new.ts', content: 'x' }],
  ['think', { reasoning: 'hm' }],
  ['Task', { prompt: 'look', description: 'd', subagent_type: 'Explore' }],
  ['flag_discovery', { title: 't', description: 'd' }],
  ['TodoWrite', { todos: [{ content: 'a', status: 'pending', activeForm: 'doing a' }] }],
  ['AskUserQuestion', { questions: [{ question: 'a?', options: [{ label: 'b' }, 'c'] }] }],
  ['ask_user', { question: 'a?', choices: '["b","c"]' }],
  ['ask_user', { prompt: 'a?', timeout: 3000 }],
  ['WebFetch', { url: 'http://a', prompt: 'b' }],
  ['WebSearch', { query: 'a', count: 3 }],
  ['sleep', { mode: 'timer', duration_secs: 3 }],
  ['spawn_background_task', { command: 'true' }],
  ['Bash', { command: 'true', run_in_background: true }],
])('%s %j is understood', async (name, args) => {
  const bench = workbench(EVERYTHING);
  bench.write('a.ts', 'code\n');
  await bench.run('read_file', { path: 'a.ts' });
  const { status, text } = await bench.run(name, args);
  expect(status, text).toBe('ok');
});
