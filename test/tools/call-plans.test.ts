import { expect, test } from 'vitest';
import { MAIN_AGENT, type CallId } from '../../messages/ids.js';
import { EVERYTHING, workbench } from './workbench.js';

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
  ['delegate', { task: 'look' }, 'read', [], true, 'delegate worker: look'],
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
