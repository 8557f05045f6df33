/** What would be decided about one call, in lines for a person: the answer, what decided it, what was considered. */
import type { PermissionRequest } from '../../actors/ports.js';
import type { Effect } from '../../messages/tools.js';
import { placeOf } from './denial.js';
import { createJudge, type Explanation, type JudgeOptions } from './judge.js';
import { canonicalTool } from './rules.js';
import type { Decider } from './ruling.js';

const FORM = /^([A-Za-z][\w-]*)(?:\((.*)\))?$/s;

/** Tools that are not named here can do anything. */
const EFFECTS: Readonly<Record<string, Effect>> = {
  read_file: 'read',
  grep: 'read',
  find_files: 'read',
  list_dir: 'read',
  web_fetch: 'read',
  web_search: 'read',
  write_file: 'write',
  edit_file: 'write',
  think: 'none',
  todo: 'none',
};

const BUILT_IN: Readonly<Record<string, string>> = {
  'read-only command': 'proven to only read inside the workspace',
  'write-in-workspace': 'writing inside the workspace is allowed',
  'edit-in-workspace': 'the mode accepts edits inside the workspace',
  read: 'reading is allowed',
  sandbox: 'the command runs in the sandbox',
  bypass: 'the mode allows all that is not forbidden or refused by a rule',
  plan: 'the mode only reads',
  unproven: 'what it does cannot be proven by reading it',
  'not-allowed': 'not proven to only read, and no rule allows it',
  'no-rule': 'no rule allows it',
  'protected-file': 'the file can run code later',
  'outside-workspace': 'the path is outside the workspace',
  'forbidden:ouro': 'ouro is for people to run',
  'forbidden:ouro-home': "ouro's own folder is closed to tools",
  'forbidden:too-long': 'the system could not start it',
};

/** `text` is a call as `tool(subject)`, such as `shell(npm test)` or `write_file(src/a.ts)`. */
export function explainRule(text: string, options: JudgeOptions): readonly string[] {
  const match = FORM.exec(text.trim());
  if (match === null)
    return [
      `${JSON.stringify(text)} is not a call; give a tool and what it is for: 'shell(npm test)'`,
    ];
  const created = createJudge(options);
  if (!created.ok) return [created.message];
  const tool = canonicalTool(match[1] ?? '');
  const effect = Object.hasOwn(EFFECTS, tool) ? (EFFECTS[tool] ?? 'execute') : 'execute';
  const request = { tool, effect, subject: match[2] ?? '', cwd: options.workspace };
  return linesOf(request, options, created.explain(request));
}

function linesOf(
  { tool, subject }: PermissionRequest,
  { mode, sandboxed }: JudgeOptions,
  { verdict, level, decidedBy, considered }: Explanation,
): readonly string[] {
  const answer = verdict.allowed ? 'allowed' : verdict.ask === true ? 'asks a person' : 'refused';
  return [
    `${tool}(${subject}): ${answer}`,
    `  mode ${mode}, ${sandboxed === true ? 'sandboxed' : 'no sandbox'}, level ${level}`,
    ...decidedBy.map((decider) => `  decided by ${describe(decider)}`),
    ...(considered.length === 0 ? ['  no rule names this tool'] : []),
    ...considered.map(
      ({ rule, matches }) =>
        `  ${matches ? 'matches' : 'does not match'}: ${rule.kind} ${rule.source} (${placeOf(rule)})`,
    ),
  ];
}

const describe = (decider: Decider): string =>
  decider.kind === 'rule'
    ? `the rule ${decider.rule.kind} ${decider.rule.source} (${placeOf(decider.rule)})`
    : `${decider.name}: ${BUILT_IN[decider.name] ?? decider.name}`;
