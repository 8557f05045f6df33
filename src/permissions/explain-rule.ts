/** What would be decided about one call, in lines for a person: the answer, what decided it, what was considered. */
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

export interface NamedCall {
  readonly tool: string;
  readonly effect: Effect;
  readonly subject: string;
}

/** `text` is a call as `tool(subject)`, such as `shell(npm test)` or `write_file(src/a.ts)`. Null: it is not. */
export function readCall(text: string): NamedCall | null {
  const match = FORM.exec(text.trim());
  if (match === null) return null;
  const tool = canonicalTool(match[1] ?? '');
  const effect = Object.hasOwn(EFFECTS, tool) ? (EFFECTS[tool] ?? 'execute') : 'execute';
  return { tool, effect, subject: match[2] ?? '' };
}

export type Answer = 'allowed' | 'asks' | 'refused';

export type ExplainedCall =
  | {
      readonly ok: true;
      readonly answer: Answer;
      readonly level: string;
      readonly decidedBy: readonly DecidedBy[];
      readonly considered: Explanation['considered'];
    }
  /** One of the rules is none. */
  | { readonly ok: false; readonly message: string };

/** A rule as it was written, with its place, or what is built in, in words. */
export type DecidedBy =
  | {
      readonly kind: 'rule';
      readonly rule: string;
      readonly from: string;
      readonly line: number | null;
    }
  | { readonly kind: 'built-in'; readonly name: string; readonly text: string };

export function explainCall(call: NamedCall, options: JudgeOptions): ExplainedCall {
  const created = createJudge(options);
  if (!created.ok) return created;
  const { verdict, level, decidedBy, considered } = created.explain({
    ...call,
    cwd: options.workspace,
  });
  const answer = verdict.allowed ? 'allowed' : verdict.ask === true ? 'asks' : 'refused';
  return { ok: true, answer, level, decidedBy: decidedBy.map(described), considered };
}

const ANSWERS: Readonly<Record<Answer, string>> = {
  allowed: 'allowed',
  asks: 'asks a person',
  refused: 'refused',
};

export function explainedLines(
  { tool, subject }: NamedCall,
  { mode, sandboxed }: Pick<JudgeOptions, 'mode' | 'sandboxed'>,
  { answer, level, decidedBy, considered }: Extract<ExplainedCall, { ok: true }>,
): readonly string[] {
  return [
    `${tool}(${subject}): ${ANSWERS[answer]}`,
    `  mode ${mode}, ${sandboxed === true ? 'sandboxed' : 'no sandbox'}, level ${level}`,
    ...decidedBy.map((decider) => `  decided by ${inWords(decider)}`),
    ...(considered.length === 0 ? ['  no rule names this tool'] : []),
    ...considered.map(
      ({ rule, matches }) =>
        `  ${matches ? 'matches' : 'does not match'}: ${rule.kind} ${rule.source} (${placeOf(rule)})`,
    ),
  ];
}

function described(decider: Decider): DecidedBy {
  if (decider.kind !== 'rule') {
    const { name } = decider;
    return { kind: 'built-in', name, text: BUILT_IN[name] ?? name };
  }
  const { kind, source, origin } = decider.rule;
  return { kind: 'rule', rule: `${kind} ${source}`, ...origin };
}

const inWords = (by: DecidedBy): string =>
  by.kind === 'rule'
    ? `the rule ${by.rule} (${by.line === null ? by.from : `${by.from}:${by.line}`})`
    : `${by.name}: ${by.text}`;
