/**
 * Rules: a tool, or a tool and a pattern in which `*` stands for any text. A pattern for `shell` is one plain
 * command; for other tools it is a path relative to the workspace, compared without case, or `domain:HOST`
 * for an address. A pattern that begins with `=` is exactly the text behind it.
 */
import type { PermissionRequest } from '../../actors/ports.js';
import { folded } from './protected-files.js';
import { readShell } from './shell-reader.js';
import { matchesWildcards } from './wildcards.js';

export type RuleKind = 'allow' | 'ask' | 'deny';

/** Where a rule was given: a file and line, a flag, a variable. */
export interface RuleOrigin {
  readonly from: string;
  readonly line: number | null;
}

export interface Rule {
  readonly kind: RuleKind;
  /** As the person wrote it. */
  readonly source: string;
  readonly tool: string;
  readonly form: 'every' | 'exact' | 'wildcards' | 'domain';
  readonly pattern: string;
  readonly origin: RuleOrigin;
}

export const SHELL_TOOL = 'shell';
const FORM = /^([A-Za-z][\w-]*\*?)(?:\((.+)\))?$/s;

/** What other programs call the same tools, in rules that people bring along. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  Bash: 'shell',
  Read: 'read_file',
  Edit: 'edit_file',
  Write: 'write_file',
  Grep: 'grep',
  Glob: 'find_files',
  LS: 'list_dir',
  WebFetch: 'web_fetch',
  WebSearch: 'web_search',
};

export const canonicalTool = (name: string): string =>
  Object.hasOwn(OTHER_NAMES, name) ? (OTHER_NAMES[name] ?? name) : name;

/** Null: it is not a rule. */
export function parseRule(kind: RuleKind, source: string, origin: RuleOrigin): Rule | null {
  const match = FORM.exec(source.trim());
  if (match === null) return null;
  const tool = canonicalTool(match[1] ?? '');
  const pattern = match[2]?.trim();
  if (pattern === '' || pattern === '=') return null;
  return { kind, source, tool, origin, ...formOf(kind, tool, pattern) };
}

function formOf(
  kind: RuleKind,
  tool: string,
  pattern: string | undefined,
): Pick<Rule, 'form' | 'pattern'> {
  if (pattern === undefined || /^\*+$/.test(pattern)) return { form: 'every', pattern: '' };
  if (pattern.startsWith('=')) return { form: 'exact', pattern: pattern.slice(1).trim() };
  if (tool === SHELL_TOOL) return commandForm(kind, pattern);
  if (pattern.startsWith('domain:'))
    return { form: 'domain', pattern: pattern.slice('domain:'.length).toLowerCase() };
  return { form: 'wildcards', pattern: folded(pattern.replace(/^(\.\/)+/, '')) };
}

/**
 * A command is compared in one fixed spelling, so the pattern has to have it too. A pattern that is no plain
 * command stands for itself where it would allow something: `*` in it could stand for a whole other command.
 */
function commandForm(kind: RuleKind, pattern: string): Pick<Rule, 'form' | 'pattern'> {
  // Nothing in it has another spelling, so the grammar need not be loaded for it.
  if (SIMPLE.test(pattern)) return { form: 'wildcards', pattern };
  const read = readShell(pattern);
  const [only, ...more] = read.ok ? read.script.nodes : [];
  const isPlain =
    only?.kind === 'command' &&
    more.length === 0 &&
    only.assigned.length + only.redirections.length + only.substitutions.length === 0;
  if (isPlain) return { form: 'wildcards', pattern: only.text };
  return { form: kind === 'allow' ? 'exact' : 'wildcards', pattern };
}

const SIMPLE = /^[\w./:@%+,*-]+(?: [\w./:@%+,=*-]+)*$/;

/** Two names for one right: a file that must not be written must not be edited either. */
const WRITERS: readonly string[] = ['write_file', 'edit_file'];

/** A refusal holds for every tool that does the same; a permission for the one it names. */
export function namesTool(rule: Rule, tool: string): boolean {
  if (rule.tool === tool) return true;
  if (rule.tool.endsWith('*')) return matchesWildcards(rule.tool, tool);
  return rule.kind !== 'allow' && WRITERS.includes(rule.tool) && WRITERS.includes(tool);
}

/** `texts`: every spelling of one command. */
export const matchesCommand = (rule: Rule, texts: readonly string[]): boolean =>
  namesTool(rule, SHELL_TOOL) && texts.some((text) => matchesText(rule, text));

/** `spellings`: every name of one path. */
export const matchesSubject = (rule: Rule, tool: string, spellings: readonly string[]): boolean =>
  namesTool(rule, tool) &&
  (rule.form === 'every' || spellings.some((subject) => matchesPathOrAddress(rule, subject)));

function matchesText(rule: Rule, text: string): boolean {
  switch (rule.form) {
    case 'every':
      return true;
    case 'exact':
      return text === rule.pattern;
    case 'domain':
      return false;
    case 'wildcards':
      return matchesWildcards(rule.pattern, text);
  }
}

function matchesPathOrAddress(rule: Rule, subject: string): boolean {
  if (rule.form !== 'domain')
    return matchesText(rule, rule.form === 'exact' ? subject : folded(subject));
  if (!URL.canParse(subject)) return false;
  const host = new URL(subject).hostname.replace(/\.$/, '');
  return matchesWildcards(rule.pattern, host) || host.endsWith(`.${rule.pattern}`);
}

/** The rule that allows this very call and no other. */
export const exactRule = ({ tool, subject }: Pick<PermissionRequest, 'tool' | 'subject'>): string =>
  `${tool}(=${subject.trim()})`;
