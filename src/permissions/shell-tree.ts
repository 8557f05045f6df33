/**
 * A shell command as far as its meaning is certain: what it runs, in which order and scope, with which words
 * and files. What has no place in this tree cannot be judged.
 */

export interface ShellWord {
  /**
   * `literal`: what the program gets. `pattern`: the shell replaces it by names of files or a home folder.
   * `unknown`: its value, and how many words it becomes, is known only when it runs.
   */
  readonly kind: 'literal' | 'pattern' | 'unknown';
  /** Of a literal: quotes removed. Else as written. */
  readonly text: string;
}

export interface Redirection {
  readonly access: 'read' | 'write';
  readonly target: ShellWord;
}

export interface ShellCommand {
  readonly kind: 'command';
  /** Names of variables that are set in front of it, or by it when there are no words. */
  readonly assigned: readonly string[];
  /** Empty: it only assigns, redirects or substitutes. */
  readonly words: readonly ShellWord[];
  readonly redirections: readonly Redirection[];
  /** What runs to make its words. */
  readonly substitutions: readonly ShellGroup[];
  /** Its words in one fixed spelling: single spaces, quotes only where needed. Rules are matched on it. */
  readonly text: string;
}

export interface ShellGroup {
  readonly kind: 'group';
  /** What a `subshell` does to the shell ends with it; a `loop` may run any number of times. */
  readonly scope: 'same' | 'subshell' | 'loop';
  readonly nodes: readonly ShellNode[];
}

export type ShellNode = ShellCommand | ShellGroup;

export type ShellReading =
  | { readonly ok: true; readonly script: ShellGroup }
  /** `why` completes "this cannot be judged because it …". */
  | { readonly ok: false; readonly why: string };

/** Every command in the tree, those inside of substitutions included. */
export function* commandsIn(node: ShellNode): Generator<ShellCommand> {
  if (node.kind === 'group') {
    for (const inner of node.nodes) yield* commandsIn(inner);
    return;
  }
  for (const inner of node.substitutions) yield* commandsIn(inner);
  yield node;
}

const NEEDS_QUOTES = /[\s'"\\$`|&;<>(){}*?[\]#~!]/;

/** A text as the shell would have to be given it. */
export function inShellQuotes(text: string): string {
  if (text !== '' && !NEEDS_QUOTES.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export const spelled = (words: readonly ShellWord[]): string =>
  words.map((word) => (word.kind === 'literal' ? inShellQuotes(word.text) : word.text)).join(' ');
