/**
 * Goes through a command in the order in which the shell would, and asks of each part whether it is proven
 * harmless or allowed by a rule. Keeps every folder the shell may be in: a part may run after a move or
 * without it, so it must hold in all of them.
 */
import { relative } from 'node:path';
import { notAllowedText, protectedText, redirectionText, unprovenText } from './denial.js';
import { isProtected } from './protected-files.js';
import { pathProblem, problemText, proveHarmless, type Bounds, type Proof } from './read-only.js';
import { realPathOf } from './real-path.js';
import type { RuleBook } from './rule-book.js';
import { builtIn, byRule, type Decider } from './ruling.js';
import { readShell } from './shell-reader.js';
import { spelled, type Redirection, type ShellCommand, type ShellGroup } from './shell-tree.js';
import { isOwnVariable } from './special-programs.js';
import { unwrap } from './wrappers.js';

export interface WalkRules {
  readonly bounds: Bounds;
  /** Null: only proofs count. */
  readonly book: RuleBook | null;
  /** Commands that change only the files they name are allowed. */
  readonly edits: boolean;
  /** Redirections may write. */
  readonly writes: boolean;
  /** Somebody wants certain files not to be read, so walking through a folder proves nothing. */
  readonly guardsReading: boolean;
}

export interface Objection {
  readonly name: 'not-allowed' | 'unproven' | 'protected-file';
  readonly text: string;
}

export type Walked =
  | { readonly ok: true; readonly by: readonly Decider[]; readonly changesFiles: boolean }
  | { readonly ok: false; readonly objection: Objection };

export const READ_ONLY = builtIn('read-only command');
export const WRITE_INSIDE = builtIn('write-in-workspace');
const EDIT_INSIDE = builtIn('edit-in-workspace');

/** Built into the shell, and able to change what later parts mean; only a rule can have allowed them. */
const CHANGES_SHELL = new Set(
  'cd pushd popd . source eval exec set shopt export declare typeset local readonly unset alias unalias enable hash trap builtin command read mapfile readarray printf getopts let'.split(
    ' ',
  ),
);

/** `bash -c "bash -c …"` deeper than this is not seen through. */
const MAX_WRAPPED = 4;

export function walkCommand(script: ShellGroup, cwd: string, rules: WalkRules): Walked {
  return new CommandWalk(cwd, rules).result(script);
}

class CommandWalk {
  readonly #rules: WalkRules;
  readonly #by = new Map<string, Decider>();
  #folders: readonly string[];
  #changesFiles = false;
  #objection: Objection | null = null;

  constructor(cwd: string, rules: WalkRules) {
    this.#folders = [cwd];
    this.#rules = rules;
  }

  result(script: ShellGroup): Walked {
    this.#group(script, 0);
    if (this.#objection !== null) return { ok: false, objection: this.#objection };
    const by = this.#by.size === 0 ? [READ_ONLY] : [...this.#by.values()];
    return { ok: true, by, changesFiles: this.#changesFiles };
  }

  #object(name: Objection['name'], text: string): void {
    this.#objection ??= { name, text };
  }

  #use(decider: Decider): void {
    this.#by.set(decider.kind === 'rule' ? decider.rule.source : decider.name, decider);
  }

  #group(group: ShellGroup, wrapped: number): void {
    const before = this.#folders;
    this.#nodes(group, wrapped);
    // What the last turn did to the shell holds for the next.
    if (group.scope === 'loop' && this.#folders.length !== before.length)
      this.#nodes(group, wrapped);
    if (group.scope === 'subshell') this.#folders = before;
  }

  #nodes(group: ShellGroup, wrapped: number): void {
    for (const node of group.nodes) {
      if (this.#objection !== null) return;
      if (node.kind === 'group') this.#group(node, wrapped);
      else this.#command(node, wrapped);
    }
  }

  #command(command: ShellCommand, wrapped: number): void {
    for (const inner of command.substitutions) this.#group(inner, wrapped);
    this.#assignments(command);
    for (const redirection of command.redirections) this.#redirection(redirection);
    if (command.words.length > 0 && this.#objection === null) this.#program(command, wrapped);
  }

  #assignments({ assigned, text }: ShellCommand): void {
    const name = assigned.find((each) => !isOwnVariable(each));
    if (name !== undefined)
      this.#object('not-allowed', unprovenText(text, `sets ${name}, which programs read`));
  }

  #program(command: ShellCommand, wrapped: number): void {
    const [program] = command.words;
    if (program?.kind !== 'literal' || program.text === '') {
      this.#object(
        'unproven',
        unprovenText(command.text, 'leaves the name of the program to the shell'),
      );
      return;
    }
    const proof = this.#prove(command);
    if (proof.ok) {
      this.#proven(proof);
      return;
    }
    const rule = this.#rules.book?.allowsPart(command.text);
    // A rule says nothing about variables that are put in front of what it allows.
    if (rule !== undefined && command.assigned.length === 0) {
      this.#use(byRule(rule));
      // Nothing can be proven any more, so each later part needs a rule too.
      if (CHANGES_SHELL.has(program.text)) this.#folders = [];
      return;
    }
    this.#wrapped(command, proof.why, wrapped);
  }

  #prove(command: ShellCommand): Proof {
    const { bounds, edits, guardsReading } = this.#rules;
    const proof = proveHarmless(command.words, { folders: this.#folders, bounds, edits });
    return proof.ok && proof.walks && guardsReading
      ? { ok: false, why: 'reads whole folders, and a rule guards some files' }
      : proof;
  }

  #proven(proof: Extract<Proof, { ok: true }>): void {
    this.#use(proof.changesFiles ? EDIT_INSIDE : READ_ONLY);
    this.#changesFiles ||= proof.changesFiles;
    if (proof.movesTo !== null) this.#folders = [...this.#folders, proof.movesTo];
  }

  #wrapped(command: ShellCommand, why: string, wrapped: number): void {
    const inner = wrapped < MAX_WRAPPED ? unwrap(command.words) : null;
    const program = command.words[0]?.text ?? '';
    if (inner === null) {
      this.#object('not-allowed', notAllowedText(command.text, program, why));
      return;
    }
    const before = this.#folders;
    if (inner.kind === 'text') {
      const read = readShell(inner.text);
      if (!read.ok) {
        this.#object('unproven', unprovenText(command.text, read.why));
        return;
      }
      this.#group(read.script, wrapped + 1);
    } else {
      const { words } = inner;
      const assigned = [...command.assigned, ...inner.assigned];
      const started = { ...command, assigned, words, text: spelled(words) };
      this.#assignments(started);
      if (this.#objection === null) this.#program(started, wrapped + 1);
    }
    const isSame = inner.kind === 'command' && inner.sameShell;
    if (!isSame) this.#folders = before;
  }

  #redirection({ access, target }: Redirection): void {
    if (target.kind !== 'literal') {
      this.#object('not-allowed', redirectionText(target.text, 'is known only when it runs'));
      return;
    }
    if (this.#folders.length === 0) {
      this.#object(
        'not-allowed',
        redirectionText(target.text, 'follows a command that changes the shell itself'),
      );
      return;
    }
    for (const folder of this.#folders) this.#target(access, target.text, folder);
  }

  #target(access: Redirection['access'], path: string, folder: string): void {
    const { bounds, writes } = this.#rules;
    const problem = pathProblem(path, folder, bounds);
    if (problem !== null) {
      this.#object('not-allowed', redirectionText(path, problemText(path, problem)));
      return;
    }
    if (access === 'read') return;
    const real = relative(bounds.workspace, realPathOf(path, folder) ?? path);
    if (isProtected(real) || isProtected(path)) {
      const rule = this.#rules.book?.forSubject('allow', 'write_file', [real]);
      if (rule === undefined) {
        this.#object('protected-file', protectedText('write_file', real));
        return;
      }
      this.#use(byRule(rule));
    } else this.#use(WRITE_INSIDE);
    if (!writes) this.#object('not-allowed', redirectionText(path, 'writes a file'));
    this.#changesFiles = true;
  }
}
