/**
 * Reads a shell command into a tree that can be judged. A grammar proposes how the text is built; this walks
 * the text along that proposal from its first character to its last, takes each keyword, operator and word
 * itself, and refuses where the two differ, where the shells differ, and what cannot be judged. So nothing
 * is left out between two parts, whatever the grammar made of it.
 */
import type * as Tree from 'unbash';
import { accessOf } from './redirection-access.js';
import { parseShell } from './shell-parser.js';
import { ShellText, UNCERTAIN } from './shell-text.js';
import { NOT_READ } from './unread-syntax.js';
import {
  spelled,
  type Redirection,
  type ShellCommand,
  type ShellGroup,
  type ShellNode,
  type ShellReading,
  type ShellWord,
} from './shell-tree.js';
import { readWord } from './shell-word.js';
import { substitutionsIn } from './substitutions.js';

/** Longer commands are programs; they belong into a file, where they can be read. */
const MAX_COMMAND_BYTES = 64 * 1024;
/** A person checks that many parts at a glance, and a model needs no more. */
const MAX_PARTS = 64;
/** Each of them may have to be looked up on the disk, while an agent waits. */
const MAX_WORDS = 1000;
/** Deeper nesting than a person would write. */
const MAX_DEPTH = 16;
/** Tab and newline are text or blanks. */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

/** Linear in the length of the text. Never throws. */
export function readShell(text: string): ShellReading {
  if (Buffer.byteLength(text) > MAX_COMMAND_BYTES)
    return { ok: false, why: `is longer than ${MAX_COMMAND_BYTES / 1024} KB` };
  if (CONTROL.test(text)) return { ok: false, why: 'contains control characters' };
  try {
    return new ShellReader(text, { parts: 0, words: 0 }, 0).readAll(parseShell(text));
  } catch {
    // Where the grammar itself fails, nothing is known of the text, and a verdict is still due.
    return { ok: false, why: UNCERTAIN };
  }
}

class ShellReader {
  readonly #text: ShellText;
  readonly #limits: { parts: number; words: number };
  readonly #depth: number;

  constructor(source: string, limits: { parts: number; words: number }, depth: number) {
    this.#text = new ShellText(source, depth > 0);
    this.#limits = limits;
    this.#depth = depth;
  }

  readAll(script: Tree.ParsedScript): ShellReading {
    const nodes = this.#readWhole(script);
    if (nodes.length === 0) this.#text.refuse('runs nothing');
    const { why } = this.#text;
    if (why !== null) return { ok: false, why };
    return { ok: true, script: { kind: 'group', scope: 'same', nodes } };
  }

  #readWhole(script: Tree.ParsedScript): readonly ShellNode[] {
    const error = script.errors?.[0];
    if (error !== undefined) this.#text.refuse(`is not complete (${error.message})`);
    if (this.#depth > MAX_DEPTH) this.#text.refuse('nests too deep');
    const nodes = this.#statements(script.commands);
    this.#text.end();
    return nodes;
  }

  #statements(statements: readonly Tree.Statement[]): readonly ShellNode[] {
    const nodes: ShellNode[] = [];
    this.#text.lines();
    for (const [index, statement] of statements.entries()) {
      if (this.#text.why !== null) return [];
      nodes.push(...this.#node(statement.command));
      if (statement.background === true) this.#text.refuse('runs something in the background');
      this.#text.blanks();
      this.#text.separator(index === statements.length - 1);
      this.#text.lines();
    }
    return nodes;
  }

  #node(node: Tree.PipelineNode | Tree.AndOr): readonly ShellNode[] {
    switch (node.type) {
      case 'AndOr':
        return this.#joined(node.commands, node.operators);
      case 'Pipeline':
        for (const prefix of node.prefixes) {
          if (prefix.type === 'Time') this.#text.refuse(NOT_READ['Time'] ?? '');
          this.#text.take('!');
          this.#text.blanks();
        }
        return this.#joined(node.commands, node.operators);
      case 'Redirected':
        return [
          ...this.#node(node.command),
          ...this.#bare({
            redirections: node.redirects.flatMap((item) => this.#redirection(item)),
          }),
        ];
      case 'Command':
        return this.#command(node);
      case 'Subshell':
        return [this.#grouped('subshell', () => this.#enclosed('(', node.body, ')'))];
      case 'BraceGroup':
        return this.#enclosed('{', node.body, '}');
      case 'If':
        return this.#if(node);
      case 'While':
        return [
          this.#grouped('loop', () => [
            ...this.#clause(node.kind, node.clause),
            ...this.#clause('do', node.body),
            ...this.#closed('done'),
          ]),
        ];
      case 'For':
        return [this.#grouped('loop', () => this.#for(node))];
      default:
        this.#text.refuse(NOT_READ[node.type] ?? UNCERTAIN);
        return [];
    }
  }

  #joined(nodes: readonly Tree.PipelineNode[], operators: readonly string[]): readonly ShellNode[] {
    const read: ShellNode[] = [];
    for (const [index, node] of nodes.entries()) {
      if (this.#text.why !== null) return [];
      if (index > 0) {
        this.#text.blanks();
        this.#text.take(operators[index - 1] ?? '&&');
        this.#text.lines();
      }
      read.push(...this.#node(node));
    }
    return read;
  }

  #grouped(scope: ShellGroup['scope'], read: () => readonly ShellNode[]): ShellGroup {
    return { kind: 'group', scope, nodes: read() };
  }

  #enclosed(open: string, body: Tree.CompoundList, close: string): readonly ShellNode[] {
    this.#text.take(open);
    const nodes = this.#statements(body.commands);
    this.#text.take(close);
    return nodes;
  }

  #clause(keyword: string, list: Tree.CompoundList): readonly ShellNode[] {
    this.#text.keyword(keyword);
    return this.#statements(list.commands);
  }

  #closed(keyword: string): readonly ShellNode[] {
    this.#text.keyword(keyword);
    return [];
  }

  #if(node: Tree.If): readonly ShellNode[] {
    return [
      ...this.#clause('if', node.clause),
      ...this.#clause('then', node.then),
      ...node.elif.flatMap((elif) => [
        ...this.#clause('elif', elif.clause),
        ...this.#clause('then', elif.then),
      ]),
      ...(node.else === undefined ? [] : this.#clause('else', node.else)),
      ...this.#closed('fi'),
    ];
  }

  #for(node: Tree.For): readonly ShellNode[] {
    this.#text.take('for');
    this.#text.blanks();
    const substitutions: ShellGroup[] = [];
    const name = this.#word(node.name, substitutions);
    this.#text.lines();
    if (node.wordlist !== undefined) {
      this.#text.take('in');
      for (const word of node.wordlist) {
        this.#text.blanks();
        this.#word(word, substitutions);
      }
    }
    this.#text.blanks();
    this.#text.semicolon();
    return [
      ...this.#bare({ assigned: [name.text], substitutions }),
      ...this.#clause('do', node.body),
      ...this.#closed('done'),
    ];
  }

  #command(command: Tree.Command): readonly ShellNode[] {
    const words: ShellWord[] = [];
    const assigned: string[] = [];
    const redirections: Redirection[] = [];
    const substitutions: ShellGroup[] = [];
    for (const item of [...command.prefix, command.name, ...command.suffix]) {
      if (item === undefined || this.#text.why !== null) continue;
      this.#text.blanks();
      if (item.type === 'Word') words.push(this.#word(item, substitutions));
      else if (item.type !== 'Assignment') redirections.push(...this.#redirection(item));
      else if (words.length > 0) words.push(this.#word(item, substitutions));
      else assigned.push(this.#assignment(item, substitutions));
    }
    return this.#bare({ assigned, words, redirections, substitutions });
  }

  #bare(parts: Partial<Omit<ShellCommand, 'kind' | 'text'>>): readonly ShellNode[] {
    const { assigned = [], words = [], redirections = [], substitutions = [] } = parts;
    this.#limits.parts += 1;
    this.#limits.words += words.length + redirections.length + assigned.length;
    if (this.#limits.parts > MAX_PARTS) this.#text.refuse(`has more than ${MAX_PARTS} parts`);
    if (this.#limits.words > MAX_WORDS) this.#text.refuse(`has more than ${MAX_WORDS} words`);
    const text = spelled(words);
    return [{ kind: 'command', assigned, words, redirections, substitutions, text }];
  }

  #word(proposed: Tree.Word | Tree.Assignment, substitutions: ShellGroup[]): ShellWord {
    const inside = substitutionsIn(proposed);
    const read = readWord(this.#text.source, this.#text.at, (at) => inside.get(at)?.end ?? null);
    if (!read.ok) {
      this.#text.refuse(read.why);
      return NO_WORD;
    }
    const isSame = proposed.pos === this.#text.at && proposed.end === read.end;
    const saysOther = proposed.type === 'Word' && proposed.value !== read.word.text;
    if (!isSame || (read.word.kind === 'literal' && saysOther)) this.#text.refuse(UNCERTAIN);
    for (const at of read.substitutions) {
      const part = inside.get(at);
      if (part !== undefined) substitutions.push(this.#substitution(part));
    }
    this.#text.at = read.end;
    return read.word;
  }

  #substitution({ pos, end, script }: Tree.CommandExpansionPart): ShellGroup {
    const inner = this.#text.source.slice(pos + 2, end - 1);
    const reader = new ShellReader(inner, this.#limits, this.#depth + 1);
    // Read again on its own: positions then begin with it, and its errors are its own.
    const nodes = reader.#readWhole(parseShell(inner));
    const why = script === undefined ? UNCERTAIN : reader.#text.why;
    if (why !== null) this.#text.refuse(why);
    return { kind: 'group', scope: 'subshell', nodes };
  }

  #assignment(item: Tree.Assignment, substitutions: ShellGroup[]): string {
    if (item.append === true || item.index !== undefined || item.value.type !== 'Word')
      this.#text.refuse('assigns to an array or adds to a variable');
    if (!this.#text.source.startsWith(`${item.name}=`, this.#text.at)) this.#text.refuse(UNCERTAIN);
    this.#word(item, substitutions);
    return item.name;
  }

  #redirection(item: Tree.Redirection): readonly Redirection[] {
    this.#text.blanks();
    const written = /^(\d*)(<<<|<<-|<<|<>|<&|<|>>|>&|>\||>|&>>|&>)/.exec(
      this.#text.source.slice(this.#text.at, this.#text.at + MAX_OPERATOR),
    );
    if (item.pos !== this.#text.at || written?.[2] !== item.operator) {
      this.#text.refuse(UNCERTAIN);
      return [];
    }
    if (written[2].startsWith('&'))
      this.#text.refuse('uses &>, which the shells read differently; write > FILE 2>&1');
    this.#text.at += written[0].length;
    this.#text.blanks();
    if (item.type === 'HereDoc') {
      this.#text.announce(item);
      return [];
    }
    return this.#redirected(item);
  }

  #redirected(item: Tree.Redirect | Tree.HereString): readonly Redirection[] {
    if (item.target === undefined) {
      this.#text.refuse(UNCERTAIN);
      return [];
    }
    const substitutions: ShellGroup[] = [];
    const target = this.#word(item.target, substitutions);
    if (substitutions.length > 0) this.#text.refuse('substitutes the name of a file');
    const access = accessOf(item.operator, target);
    if (access === 'unclear') this.#text.refuse(UNCERTAIN);
    return access === 'read' || access === 'write' ? [{ access, target }] : [];
  }
}

const NO_WORD: ShellWord = { kind: 'unknown', text: '' };
/** A file descriptor of two digits and the longest operator; a longer one is no redirection that we read. */
const MAX_OPERATOR = 6;
