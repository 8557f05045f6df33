/**
 * Decides whether a call may run. The order is the same for every kind of call: what is forbidden in every
 * mode, what a rule refuses, what the mode decides as a whole, what a person approved, what a person wants to
 * be asked about, what is proven harmless or allowed by a rule. Whatever is left is refused, and a person may
 * allow it where the mode lets them be asked.
 */
import { resolve } from 'node:path';
import type { PermissionJudge, PermissionRequest, Verdict } from '../../actors/ports.js';
import { spellingsFrom, type Ground, type Mode } from './ground.js';
import { judgeCommand } from './judge-command.js';
import { INPUT_TOOL, judgeInput } from './judge-input.js';
import { judgeSubject } from './judge-subject.js';
import { realPathOf } from './real-path.js';
import { readBook, type GivenRules, type RuleBook } from './rule-book.js';
import { matchesCommand, matchesSubject, namesTool, SHELL_TOOL, type Rule } from './rules.js';
import { nameOf, type Decider, type Level, type Ruling } from './ruling.js';

export { exactRule } from './rules.js';

export interface JudgeOptions extends GivenRules {
  readonly mode: Mode;
  readonly workspace: string;
  /** Further folders in which tools may write. */
  readonly addDirs?: readonly string[];
  readonly ouroHome: string;
  /** The commands of `shell` run in a sandbox. */
  readonly sandboxed?: boolean;
}

export interface Explanation {
  readonly verdict: Verdict;
  readonly level: Level;
  readonly decidedBy: readonly Decider[];
  /** The rules for this tool, in the order in which they decide. */
  readonly considered: readonly { readonly rule: Rule; readonly matches: boolean }[];
}

export type CreatedJudge =
  | {
      readonly ok: true;
      readonly judge: PermissionJudge;
      /** Allows what the rule names until the session's process ends. False: it is not a rule. */
      readonly remember: (rule: string, scope: 'session') => boolean;
      /** Whether `read_file` may show a file of the workspace; null: no rule closes any. */
      readonly mayRead: ((path: string) => boolean) | null;
      readonly explain: (request: PermissionRequest) => Explanation;
      /** Calls are judged by this mode from here on. */
      readonly setMode: (mode: Mode) => void;
    }
  | { readonly ok: false; readonly message: string };

export function createJudge(options: JudgeOptions): CreatedJudge {
  const read = readBook(options);
  if (!read.ok) return read;
  let ground = groundOf(options, read.book);
  const judge = (request: PermissionRequest): Verdict =>
    verdictOf(rule(request, ground), ground.mode);
  const closes = read.book.all.some(
    (given) => given.kind !== 'allow' && namesTool(given, 'read_file'),
  );
  const { workspace: cwd } = ground.bounds;
  const reading = (subject: string): PermissionRequest => ({
    ...{ tool: 'read_file', effect: 'read', subject, cwd },
  });
  return {
    ok: true,
    judge: { judge },
    mayRead: closes ? (path) => judge(reading(path)).allowed : null,
    remember: (source) => read.book.approve(source),
    explain: (request) => explain(request, ground),
    setMode: (mode) => {
      ground = { ...ground, mode };
    },
  };
}

function groundOf(options: JudgeOptions, book: RuleBook): Ground {
  const workspace = realOf(options.workspace);
  const home = { named: resolve(options.ouroHome), real: realOf(options.ouroHome) };
  const roots = [workspace, ...(options.addDirs ?? []).map(realOf)];
  return {
    mode: options.mode,
    book,
    home,
    bounds: { workspace, roots, ouroHome: home.real },
    sandboxed: options.sandboxed ?? false,
    spellingsOf: spellingsFrom(workspace),
  };
}

const realOf = (path: string): string => realPathOf(path, process.cwd()) ?? path;

function rule(request: PermissionRequest, ground: Ground): Ruling {
  if (request.tool === INPUT_TOOL) return judgeInput(request, ground);
  return request.effect === 'execute' && request.tool === SHELL_TOOL
    ? judgeCommand(request, ground)
    : judgeSubject(request, ground);
}

function verdictOf({ decision, by, text }: Ruling, mode: Mode): Verdict {
  const named = by.map(nameOf).join(', ');
  if (decision === 'allow') return { allowed: true, rule: named };
  const canAsk = decision === 'ask' && (mode === 'default' || mode === 'accept-edits');
  return { allowed: false, rule: named, text, ...(canAsk ? { ask: true } : {}) };
}

function explain(request: PermissionRequest, ground: Ground): Explanation {
  const ruling = rule(request, ground);
  const real = realPathOf(request.subject, ground.bounds.workspace);
  const names = ground.spellingsOf(request.subject, real);
  const decided = new Set(ruling.by.map((by) => (by.kind === 'rule' ? by.rule : null)));
  const matches = (candidate: Rule): boolean =>
    decided.has(candidate) ||
    (request.tool === SHELL_TOOL
      ? matchesCommand(candidate, [request.subject.trim()])
      : matchesSubject(candidate, request.tool, names));
  return {
    verdict: verdictOf(ruling, ground.mode),
    level: ruling.level,
    decidedBy: ruling.by,
    considered: ground.book.all
      .filter((candidate) => namesTool(candidate, request.tool))
      .map((candidate) => ({ rule: candidate, matches: matches(candidate) })),
  };
}
