/**
 * Judges a command for the shell. In order: what is forbidden, what a rule refuses, what the mode decides as
 * a whole, what a person approved, what a person wants to be asked about, what is allowed as a whole or part
 * by part, and the sandbox. Whatever is left is for a person to allow.
 */
import { relative } from 'node:path';
import type { PermissionRequest } from '../../actors/ports.js';
import { walkCommand, type Walked } from './command-walk.js';
import {
  askedByRuleText,
  deniedByRuleText,
  forbiddenText,
  notExcludedText,
  planText,
  protectedText,
  unprovenText,
} from './denial.js';
import { forbiddenInCommand, isTooLong, type Forbidden } from './forbidden.js';
import type { Ground } from './ground.js';
import { looseCommands, type LooseCommand } from './loose-words.js';
import { namedPaths, type NamedPath } from './named-paths.js';
import { isProtected } from './protected-files.js';
import { realPathOf } from './real-path.js';
import {
  allow,
  ask,
  builtIn,
  byRule,
  deny,
  type Decider,
  type Level,
  type Ruling,
} from './ruling.js';
import { SHELL_TOOL, type Rule, type RuleKind } from './rules.js';
import { readShell } from './shell-reader.js';
import { commandsIn, type ShellReading } from './shell-tree.js';

export function judgeCommand({ subject, cwd }: PermissionRequest, ground: Ground): Ruling {
  if (isTooLong(subject)) return refusal('forbidden:too-long', subject);
  const folder = realPathOf(cwd, '/') ?? cwd;
  const loose = looseCommands(subject);
  const named = namedPaths(loose, folder);
  const forbidden = forbiddenInCommand(subject, loose, named, ground.home);
  if (forbidden !== null) return refusal(forbidden, subject);
  return new CommandJudgement({ subject, cwd: folder, loose, named }, ground).ruling();
}

const refusal = (forbidden: Forbidden, subject: string): Ruling =>
  deny('forbidden', builtIn(forbidden), forbiddenText(forbidden, subject));

/** A command, and what a rough reading finds in it. */
interface Given {
  readonly subject: string;
  readonly cwd: string;
  readonly loose: readonly LooseCommand[];
  readonly named: readonly NamedPath[];
}

class CommandJudgement {
  readonly #subject: string;
  readonly #given: Given;
  readonly #ground: Ground;
  #readOnce: ShellReading | null = null;
  #proofOnce: Walked | null = null;

  constructor(given: Given, ground: Ground) {
    this.#subject = given.subject;
    this.#given = given;
    this.#ground = ground;
  }

  ruling(): Ruling {
    const { mode, book, sandboxed } = this.#ground;
    const subject = this.#subject;
    const refusing = this.#ruleOf('deny');
    if (refusing !== null)
      return deny('dangerous', byRule(refusing), deniedByRuleText(refusing, subject));
    const unclear = this.#mayBeRefused();
    if (unclear !== null) return unclear;
    if (mode === 'bypass') return allow(this.#level(), builtIn('bypass'));
    if (mode === 'plan') return this.#planned();
    const approved = book.approvedCommand([subject.trim()]);
    if (approved !== undefined) return allow(this.#level(), byRule(approved));
    const asking = this.#ruleOf('ask');
    if (asking !== null)
      return ask(this.#level(), byRule(asking), askedByRuleText(asking, subject));
    const whole = book.forCommand('allow', [subject.trim()]);
    if (whole?.form === 'every' || whole?.form === 'exact')
      return allow(this.#level(), byRule(whole));
    const walked = this.#walk(true);
    if (walked.ok) return allow(this.#levelOf(walked), ...walked.by);
    if (sandboxed) return this.#inSandbox();
    const { name, text } = walked.objection;
    return ask(name === 'not-allowed' ? 'execute' : 'dangerous', builtIn(name), text);
  }

  /** Nothing that a rule could add makes it more than reading. */
  #planned(): Ruling {
    const refused = deny(this.#level(), builtIn('plan'), planText(this.#subject));
    const proof = this.#proof();
    if (!proof.ok) return refused;
    const asking = this.#ruleOf('ask');
    if (asking !== null)
      return deny('read', byRule(asking), askedByRuleText(asking, this.#subject));
    return allow('read', ...proof.by);
  }

  /** The sandbox keeps `.git` and `.ouro` from being written, but not every file that runs code later. */
  #inSandbox(): Ruling {
    const { workspace } = this.#ground.bounds;
    for (const { path, real, isValue } of this.#given.named) {
      if (isValue) continue;
      if (isProtected(path) || isProtected(relative(workspace, real ?? path)))
        return ask('dangerous', builtIn('protected-file'), protectedText(SHELL_TOOL, path));
    }
    return allow(this.#level(), builtIn('sandbox'));
  }

  #reading(): ShellReading {
    return (this.#readOnce ??= readShell(this.#subject));
  }

  /** Whether it only reads, whatever the rules say. */
  #proof(): Walked {
    return (this.#proofOnce ??= this.#walk(false));
  }

  #walk(withRules: boolean): Walked {
    const reading = this.#reading();
    const { bounds, book, mode } = this.#ground;
    if (!reading.ok) {
      const text = unprovenText(this.#subject, reading.why);
      return { ok: false, objection: { name: 'unproven', text } };
    }
    return walkCommand(reading.script, this.#given.cwd, {
      bounds,
      book: withRules ? book : null,
      edits: withRules && mode === 'accept-edits',
      writes: withRules,
      guardsReading:
        book.hasPatternsFor('deny', 'read_file') || book.hasPatternsFor('ask', 'read_file'),
    });
  }

  #level(): Level {
    const proof = this.#proof();
    if (proof.ok) return 'read';
    return proof.objection.name === 'not-allowed' ? 'execute' : 'dangerous';
  }

  #levelOf(walked: Extract<Walked, { ok: true }>): Level {
    if (this.#proof().ok) return 'read';
    const byRules = walked.by.some((decider: Decider) => decider.kind === 'rule');
    return byRules ? 'execute' : 'write';
  }

  /** Commands that it runs or may start, and files that it names. */
  #ruleOf(kind: RuleKind): Rule | null {
    const { book } = this.#ground;
    const rule = book.forReached(kind, this.#subject.trim(), this.#commands());
    if (rule !== undefined) return rule;
    const reads = book.hasPatternsFor(kind, 'read_file');
    const writes = ['write_file', 'edit_file'].filter((tool) => book.hasPatternsFor(kind, tool));
    if (!reads && writes.length === 0) return null;
    const tools = [
      ...(reads ? ['read_file'] : []),
      ...(writes.length > 0 && !this.#proof().ok ? writes : []),
    ];
    for (const { path, real } of this.#given.named) {
      const spellings = this.#ground.spellingsOf(path, real);
      for (const tool of tools) {
        const found = book.forNamedPath(kind, tool, spellings);
        if (found !== undefined) return found;
      }
    }
    return null;
  }

  /** As read, where it can be read; text for another shell can hide more, so there the rough reading counts too. */
  *#commands(): Generator<{ readonly words: readonly string[] }> {
    const reading = this.#reading();
    let isExact = reading.ok;
    if (reading.ok) {
      for (const { words } of commandsIn(reading.script)) {
        const texts = words.map(({ text }) => text);
        yield { words: texts };
        isExact &&= !READS_COMMANDS.has(texts[0] ?? '');
      }
    }
    if (!isExact) yield* this.#given.loose;
  }

  /** With a rule that refuses some commands, one whose program is not known may be one of them. */
  #mayBeRefused(): Ruling | null {
    const { book, mode } = this.#ground;
    if (!book.hasPatternsFor('deny', SHELL_TOOL)) return null;
    if (![...this.#commands()].some(({ words }) => isUnknownProgram(words))) return null;
    const text = notExcludedText(this.#subject);
    const by = builtIn('unproven');
    return mode === 'bypass' ? deny('dangerous', by, text) : ask('dangerous', by, text);
  }
}

const READS_COMMANDS = new Set('bash sh dash zsh ksh fish eval source . xargs parallel'.split(' '));

function isUnknownProgram(words: readonly string[]): boolean {
  const program = words.find((word) => !/^\w+\+?=/.test(word)) ?? '';
  const isText = program === 'eval' && words.some((word) => word.includes('$'));
  return isText || (program !== '[' && /[$*?[`]/.test(program));
}
