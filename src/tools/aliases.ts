/**
 * Names that models know from other programs, and arguments written a little differently. Both are
 * understood and never advertised. `submit` has no other name: the agent loop looks for it.
 */
import type { ToolCall } from '../../messages/conversation.js';

const TOOL_NAMES: Readonly<Record<string, string>> = {
  read: 'read_file',
  file_read: 'read_file',
  edit: 'edit_file',
  write: 'write_file',
  file_write: 'write_file',
  grep: 'grep',
  glob: 'find_files',
  list_files: 'list_dir',
  list: 'list_dir',
  ls: 'list_dir',
  bash: 'shell',
  shell_exec: 'shell',
  run_command: 'shell',
  flag_discovery: 'record_discovery',
  agent: 'delegate',
  task: 'delegate',
  delegate_sub_agent: 'delegate',
  spawn_sub_agent: 'delegate',
  spawn_llm_session: 'delegate',
  spawn_background_task: 'shell',
  todowrite: 'todo',
  todo_write: 'todo',
  bashoutput: 'process_output',
  bash_output: 'process_output',
  killshell: 'process_kill',
  killbash: 'process_kill',
  kill_shell: 'process_kill',
  write_stdin: 'process_write',
  askuserquestion: 'ask_user',
  ask_question: 'ask_user',
  webfetch: 'web_fetch',
  websearch: 'web_search',
};

/** What a name says that ours does not. */
const IMPLIED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  spawn_background_task: { background: true },
};

const PROCESS = { bash_id: 'id', shell_id: 'id', process_id: 'id', agent_id: 'id' };
const COUNTS = { count: 'limit', max_results: 'limit', head_limit: 'limit' };

const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  read_file: { file_path: 'path', file: 'path', count: 'limit' },
  edit_file: { file_path: 'path', old_text: 'old_string', new_text: 'new_string' },
  write_file: { file_path: 'path', text: 'content', contents: 'content' },
  grep: {
    ...COUNTS,
    glob: 'include',
    output_mode: 'mode',
    context: 'context_lines',
    '-C': 'context_lines',
    '-i': 'case_insensitive',
    query: 'pattern',
  },
  find_files: { ...COUNTS, glob: 'pattern' },
  list_dir: { ...COUNTS, dir: 'path' },
  shell: {
    cmd: 'command',
    cwd: 'working_dir',
    workdir: 'working_dir',
    run_in_background: 'background',
  },
  think: { reasoning: 'thought' },
  delegate: { goal: 'task', prompt: 'task', subagent_type: 'type' },
  todo: { item: 'task', content: 'task', number: 'index' },
  process_output: { ...PROCESS, lines: 'tail' },
  process_write: { ...PROCESS, input: 'data', chars: 'data' },
  process_kill: PROCESS,
  ask_user: { question: 'prompt', options: 'choices', timeout_secs: 'timeout' },
  sleep: { duration_secs: 'seconds', duration: 'seconds' },
  read_output: { call_id: 'id' },
  web_fetch: { question: 'prompt' },
  web_search: COUNTS,
};

/** Said for people or for another program's screen. */
const IGNORED: Readonly<Record<string, readonly string[]>> = {
  shell: ['description'],
  delegate: ['description'],
  grep: ['-n'],
};

const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mode: { files_with_matches: 'files' },
  type: { Explore: 'explore' },
};

/** The longest time limit of `shell` in seconds; under the name `Bash` it is given in milliseconds. */
const MAX_SECONDS = 600;

export const canonicalName = (name: string): string => own(TOOL_NAMES, name.toLowerCase()) ?? name;

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** JSON Schema of the arguments, as far as it is looked at here. */
export type Properties = Readonly<Record<string, { readonly type?: unknown }>>;

/** The arguments under our own names and types; what cannot be understood stays as it is. */
export function canonicalArguments(
  { name, args }: Pick<ToolCall, 'name' | 'args'>,
  properties: Properties,
): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const tool = canonicalName(name);
  const given = new Map<string, unknown>(Object.entries(reshaped(tool, args)));
  const renamed = own(ARGUMENTS, tool) ?? {};
  const ignored = own(IGNORED, tool) ?? [];
  const result = new Map<string, unknown>(Object.entries(own(IMPLIED, name.toLowerCase()) ?? {}));
  for (const [key, value] of given) {
    const isKnown = Object.hasOwn(properties, key);
    const other = isKnown ? undefined : own(renamed, key);
    const isDropped = value === null || (!isKnown && ignored.includes(key));
    if (isDropped || (other !== undefined && given.has(other))) continue;
    const target = other ?? key;
    result.set(target, canonicalValue(tool, target, value, own(properties, target)?.type));
  }
  return Object.fromEntries(result);
}

/** Another program asks several questions in one call, with a label and a description for each choice. */
function reshaped(tool: string, args: object): object {
  if (tool !== 'ask_user' || !('questions' in args)) return args;
  const [only, ...more] = Array.isArray(args.questions) ? (args.questions as unknown[]) : [];
  if (typeof only !== 'object' || only === null || more.length > 0) return args;
  const { question, options } = only as { question?: unknown; options?: unknown };
  const labels = Array.isArray(options) ? options.map(labelOf) : undefined;
  return { prompt: question, ...(labels === undefined ? {} : { choices: labels }) };
}

const labelOf = (option: unknown): unknown =>
  typeof option === 'object' && option !== null && 'label' in option ? option.label : option;

/** Weaker models write numbers, truth values and lists as text. */
function canonicalValue(tool: string, name: string, value: unknown, type: unknown): unknown {
  if (typeof value === 'string') {
    if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
    if (type === 'boolean' && /^(?:true|false)$/i.test(value))
      return value.toLowerCase() === 'true';
    if (type === 'array') return listIn(value) ?? value;
    return own(own(VALUES, name) ?? {}, value) ?? value;
  }
  const isMilliseconds =
    tool === 'shell' && name === 'timeout' && typeof value === 'number' && value > MAX_SECONDS;
  return isMilliseconds ? Math.min(MAX_SECONDS, Math.ceil(value / 1000)) : value;
}

function listIn(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
