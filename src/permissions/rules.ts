/**
 * Allow rules: `tool`, or `tool(pattern)` where `*` stands for any text. A pattern for `shell` is one plain
 * command; for other tools it is a path relative to the workspace, compared without case.
 */
import { parsePlainCommands } from './plain-command.js';

export interface AllowRule {
  /** As the person wrote it. */
  readonly source: string;
  readonly tool: string;
  /** Null: every call of the tool. */
  readonly pattern: string | null;
}

export const SHELL_TOOL = 'shell';
const FORM = /^([A-Za-z][\w-]*)(?:\((.+)\))?$/s;

/** Null: it is not a rule. */
export function parseRule(source: string): AllowRule | null {
  const match = FORM.exec(source.trim());
  if (match === null) return null;
  const [, tool = '', written] = match;
  const pattern = written?.trim();
  if (pattern === '') return null;
  if (pattern === undefined || /^\*+$/.test(pattern)) return { source, tool, pattern: null };
  return { source, tool, pattern: tool === SHELL_TOOL ? inFixedSpelling(pattern) : pattern };
}

/** A command is compared in one fixed spelling, so the pattern has to have it too. */
function inFixedSpelling(pattern: string): string {
  const parsed = parsePlainCommands(pattern);
  const [only, ...more] = parsed.ok ? parsed.commands : [];
  return only !== undefined && more.length === 0 ? only.text : pattern;
}

export function matchesCommand(rule: AllowRule, command: string): boolean {
  return rule.tool === SHELL_TOOL && matches(rule, command);
}

export function matchesPath(rule: AllowRule, tool: string, path: string): boolean {
  if (rule.tool !== tool) return false;
  return rule.pattern === null || matchesWildcards(rule.pattern.toLowerCase(), path.toLowerCase());
}

const matches = (rule: AllowRule, text: string): boolean =>
  rule.pattern === null || matchesWildcards(rule.pattern, text);

/** Greedy with one step back, so that no pattern and no text can make it slow, as a regular expression could. */
export function matchesWildcards(pattern: string, text: string): boolean {
  let [p, t] = [0, 0];
  let star = -1;
  let resumeAt = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p;
      p += 1;
      resumeAt = t;
    } else if (pattern[p] === text[t]) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      resumeAt += 1;
      t = resumeAt;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
