import { expect, test } from 'vitest';
import { EVERYTHING, workbench } from './workbench.js';

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
