/**
 * The rules of one session: those it was given, and the approvals a person gave while it runs. What is
 * refused comes first, then an approval, then what a person wants to be asked about, then what is allowed.
 */
import type { LooseCommand } from './loose-words.js';
import { couldBecome } from './named-paths.js';
import {
  matchesCommand,
  matchesSubject,
  namesTool,
  parseRule,
  SHELL_TOOL,
  type Rule,
  type RuleKind,
  type RuleOrigin,
} from './rules.js';
import { inShellQuotes } from './shell-tree.js';
import { reachedCommands } from './starters.js';

export interface GivenRules {
  /** Rules such as `shell(npm test*)`, `write_file(.git/**)`, `shell`. */
  readonly allow: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  /** Where each rule was given, by `KIND RULE`. */
  readonly origins?: Readonly<Record<string, RuleOrigin>>;
}

export type ReadBook =
  { readonly ok: true; readonly book: RuleBook } | { readonly ok: false; readonly message: string };

const UNKNOWN_ORIGIN: RuleOrigin = { from: 'the start of the session', line: null };
const APPROVED: RuleOrigin = { from: 'approved for this session', line: null };

/** In the order in which they decide. */
const KINDS: readonly RuleKind[] = ['deny', 'ask', 'allow'];

export function readBook(given: GivenRules): ReadBook {
  const rules: Rule[] = [];
  for (const kind of KINDS) {
    for (const source of given[kind] ?? []) {
      const origin = given.origins?.[`${kind} ${source}`] ?? UNKNOWN_ORIGIN;
      const rule = parseRule(kind, source, origin);
      if (rule === null) return { ok: false, message: notARule(source, origin) };
      rules.push(rule);
    }
  }
  return { ok: true, book: new RuleBook(rules) };
}

const notARule = (source: string, { from, line }: RuleOrigin): string => {
  const place = line === null ? from : `${from}:${line}`;
  return `${place}: ${JSON.stringify(source)} is not a rule; a rule is a tool, or a tool and a pattern: shell, 'shell(npm test*)', 'write_file(.git/**)'`;
};

export class RuleBook {
  readonly #rules: readonly Rule[];
  readonly #approved: Rule[] = [];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  /** False: it is not a rule. */
  approve(source: string): boolean {
    const rule = parseRule('allow', source, APPROVED);
    if (rule !== null) this.#approved.push(rule);
    return rule !== null;
  }

  /** In the order in which they decide. */
  get all(): readonly Rule[] {
    return [...this.#of('deny'), ...this.#approved, ...this.#of('ask'), ...this.#of('allow')];
  }

  #of(kind: RuleKind): readonly Rule[] {
    return this.#rules.filter((rule) => rule.kind === kind);
  }

  hasPatternsFor(kind: RuleKind, tool: string): boolean {
    return this.#rules.some(
      (rule) => rule.kind === kind && rule.tool === tool && rule.form !== 'every',
    );
  }

  /** `texts`: every spelling of one command. */
  forCommand(kind: RuleKind, texts: readonly string[]): Rule | undefined {
    return this.#of(kind).find((rule) => matchesCommand(rule, texts));
  }

  /** The first rule of this kind for anything that the commands run or may start. */
  forReached(
    kind: RuleKind,
    whole: string,
    commands: Iterable<Pick<LooseCommand, 'words'>>,
  ): Rule | undefined {
    const rules = this.#of(kind).filter((rule) => namesTool(rule, SHELL_TOOL));
    const found = rules.find((rule) => matchesCommand(rule, [whole]));
    if (found !== undefined || rules.length === 0) return found;
    const heads = rules.map((rule) => rule.pattern.split(' ', 1)[0] ?? '');
    for (const { words } of commands) {
      for (const reached of reachedCommands(words)) {
        const names = namesOf(reached[0] ?? '');
        // Spelling a command out is what costs, so only where its program fits.
        const fitting = rules.filter((_, index) =>
          names.some((name) => startsAlike(heads[index] ?? '', name)),
        );
        if (fitting.length === 0) continue;
        const texts = spellings(names, reached.slice(1));
        const matching = fitting.find((rule) => matchesCommand(rule, texts));
        if (matching !== undefined) return matching;
      }
    }
    return undefined;
  }

  forSubject(kind: RuleKind, tool: string, subjects: readonly string[]): Rule | undefined {
    return this.#of(kind).find((rule) => matchesSubject(rule, tool, subjects));
  }

  /** For a path that a command names, wildcards and all. */
  forNamedPath(kind: RuleKind, tool: string, subjects: readonly string[]): Rule | undefined {
    const rule = this.forSubject(kind, tool, subjects);
    if (rule !== undefined) return rule;
    return this.#of(kind).find(
      (candidate) =>
        candidate.tool === tool &&
        candidate.form === 'wildcards' &&
        subjects.some((path) => /[*?[{]/.test(path) && couldBecome(path, candidate.pattern)),
    );
  }

  /** The approval or rule that lets one part of a command run. */
  allowsPart(text: string): Rule | undefined {
    return this.approvedCommand([text]) ?? this.forCommand('allow', [text]);
  }

  approvedSubject(tool: string, subjects: readonly string[]): Rule | undefined {
    return this.#approved.find((rule) => matchesSubject(rule, tool, subjects));
  }

  approvedCommand(texts: readonly string[]): Rule | undefined {
    return this.#approved.find((rule) => matchesCommand(rule, texts));
  }
}

/** A program may be written with its folder. */
function namesOf(program: string): readonly string[] {
  const name = program.slice(program.lastIndexOf('/') + 1);
  return name === program ? [program] : [program, name];
}

/** Whether a pattern that begins with this word can match a command of this program. */
function startsAlike(head: string, program: string): boolean {
  const fixed = head.split(/[*'"\\]/, 1)[0] ?? '';
  return program.startsWith(fixed) || inShellQuotes(program).startsWith(fixed);
}

/** Words may be written with or without quotes. */
function spellings(names: readonly string[], args: readonly string[]): readonly string[] {
  const texts = names.flatMap((name) => {
    const all = [name, ...args];
    return [all.join(' '), all.map(inShellQuotes).join(' ')];
  });
  return [...new Set(texts)];
}
