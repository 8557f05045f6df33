import { expect, test } from 'vitest';
import { EVERYTHING, workbench } from './workbench.js';

const EXPLORE = ['find_files', 'grep', 'list_dir', 'read_file', 'think'];
const FIRST = [
  ...['edit_file', 'find_files', 'grep', 'list_dir', 'read_file', 'shell', 'think', 'write_file'],
];
const ALL = [...FIRST, 'read_output', 'record_discovery', 'submit', 'delegate'];
const PROCESS = ['process_kill', 'process_list', 'process_output', 'process_write'];

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
    ...['web_fetch', 'web_search', 'check_agent', 'delegate'],
  ]);
  const ofWorker = tools.definitions('worker').map(({ name }) => name);
  expect(ofWorker).toEqual([
    ...FIRST,
    ...[...PROCESS, 'read_output', 'record_discovery', 'web_fetch', 'web_search'],
    ...['check_agent', 'delegate'],
  ]);
  expect(tools.definitions('planner').map(({ name }) => name)).toEqual(EXPLORE);
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
      const properties = parameters['properties'] as Record<string, { default?: string | number }>;
      const required = (parameters['required'] ?? []) as string[];
      const all = Object.entries(properties).map(([parameter, { default: value }]) => {
        if (required.includes(parameter)) return `${parameter}!`;
        return value === undefined ? parameter : `${parameter}=${value}`;
      });
      return [name, ...all].join(' ');
    });
  expect(shown).toEqual([
    'edit_file path! old_string! new_string! replace_all',
    'find_files pattern! path limit=100',
    'grep pattern! path include mode=files limit=100 context_lines case_insensitive',
    'list_dir path! depth=2 limit=50 offset',
    'read_file path! offset limit=2000',
    'shell command! timeout=120 working_dir background keep',
    'think thought!',
    'write_file path! content!',
    'ask_user prompt! choices editable timeout',
    'process_kill id!',
    'process_list',
    'process_output id! offset tail=50',
    'process_write id! data!',
    'read_output id search offset limit=2000',
    'record_discovery title! description!',
    'sleep mode! seconds agent_id process_id path',
    'submit summary! outcome!',
    'todo action! task index',
    'web_fetch url! prompt! max_tokens=2000',
    'web_search query! limit=5',
    'check_agent agent_id! block',
    'delegate task! type=worker context model background',
  ]);
});
