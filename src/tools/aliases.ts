/**
 * Names that models know from other programs, and arguments written a little differently. Both are
 * understood and never advertised. `submit` has no other name: the agent loop looks for it.
 */

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
};

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
  shell: { cmd: 'command', cwd: 'working_dir', workdir: 'working_dir' },
  think: { reasoning: 'thought' },
  delegate: { goal: 'task', prompt: 'task', subagent_type: 'type' },
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

/** The longest time limit in seconds; under the name `Bash` it is given in milliseconds. */
const MAX_SECONDS = 600;

export const canonicalName = (name: string): string => own(TOOL_NAMES, name.toLowerCase()) ?? name;

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** JSON Schema of the arguments, as far as it is looked at here. */
export type Properties = Readonly<Record<string, { readonly type?: unknown }>>;

/** The arguments under our own names and types; what cannot be understood stays as it is. */
export function canonicalArguments(tool: string, args: unknown, properties: Properties): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const given = new Map<string, unknown>(Object.entries(args));
  const renamed = own(ARGUMENTS, tool) ?? {};
  const ignored = own(IGNORED, tool) ?? [];
  const result = new Map<string, unknown>();
  for (const [name, value] of given) {
    const isKnown = Object.hasOwn(properties, name);
    const other = isKnown ? undefined : own(renamed, name);
    const isDropped = value === null || (!isKnown && ignored.includes(name));
    if (isDropped || (other !== undefined && given.has(other))) continue;
    const target = other ?? name;
    result.set(target, canonicalValue(target, value, own(properties, target)?.type));
  }
  return Object.fromEntries(result);
}

/** Weaker models write numbers and truth values as text. */
function canonicalValue(name: string, value: unknown, type: unknown): unknown {
  if (typeof value === 'string') {
    if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
    if (type === 'boolean' && /^(?:true|false)$/i.test(value))
      return value.toLowerCase() === 'true';
    return own(own(VALUES, name) ?? {}, value) ?? value;
  }
  const isMilliseconds = name === 'timeout' && typeof value === 'number' && value > MAX_SECONDS;
  return isMilliseconds ? Math.min(MAX_SECONDS, Math.ceil(value / 1000)) : value;
}
