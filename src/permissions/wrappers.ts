/**
 * Sees through programs that do nothing but start another one: what they start is judged in their place.
 * Only forms from a list; a wrapper in any other form is judged as the program it is, and so not proven.
 */
import type { ShellWord } from './shell-tree.js';

export type Unwrapped =
  | {
      readonly kind: 'command';
      readonly words: readonly ShellWord[];
      /** Names of variables that it sets for what it starts. */
      readonly assigned: readonly string[];
      readonly sameShell: boolean;
    }
  /** A text for another shell. */
  | { readonly kind: 'text'; readonly text: string };

type Unwrap = (args: readonly ShellWord[]) => Unwrapped | null;

const started = (
  words: readonly ShellWord[],
  { assigned = [], sameShell = false }: { assigned?: readonly string[]; sameShell?: boolean } = {},
): Unwrapped | null =>
  words[0]?.kind === 'literal' && !words[0].text.startsWith('-')
    ? { kind: 'command', words, assigned, sameShell }
    : null;

/** The arguments behind those options; null: there is another one, or its value is missing. */
function behindOptions(
  args: readonly ShellWord[],
  flags: RegExp,
  withValue: RegExp,
): readonly ShellWord[] | null {
  let at = 0;
  for (
    let word = args[at];
    word?.kind === 'literal' && word.text.startsWith('-');
    word = args[at]
  ) {
    if (flags.test(word.text)) at += 1;
    else if (withValue.test(word.text) && args[at + 1]?.kind === 'literal') at += 2;
    else return null;
  }
  return args.slice(at);
}

const NEVER = /^$/;

const command: Unwrap = (args) => {
  // It only tells where the program is.
  if (/^-[vV]$/.test(args[0]?.text ?? '')) return started(WITHOUT_EFFECT);
  return started(args, { sameShell: true });
};

const env: Unwrap = (args) => {
  const first = args.findIndex((word) => word.kind !== 'literal' || !word.text.includes('='));
  if (first < 0) return null;
  const assigned = args.slice(0, first).map(({ text }) => text.slice(0, text.indexOf('=')));
  return started(args.slice(first), { assigned });
};

const timeout: Unwrap = (args) => {
  const rest = behindOptions(
    args,
    /^(-v|-k\w+|-s\w+|--foreground|--preserve-status|--verbose|--(signal|kill-after)=\w+)$/,
    /^-[ks]$/,
  );
  const [duration, ...words] = rest ?? [];
  return duration?.kind === 'literal' && /^[\d.]+[smhd]?$/.test(duration.text)
    ? started(words)
    : null;
};

const nice: Unwrap = (args) => {
  const rest = behindOptions(args, /^(-n?-?\d+|--adjustment=-?\d+)$/, /^-n$/);
  return rest === null ? null : started(rest);
};

/** What it reads becomes arguments, which are known only when it runs. */
const xargs: Unwrap = (args) => {
  const rest = behindOptions(args, /^(-[0rtx]+|-[nPL]\d+|--null|--no-run-if-empty)$/, /^-[nPLd]$/);
  if (rest === null) return null;
  return started([...(rest.length === 0 ? WITHOUT_EFFECT : rest), READ_WHEN_RUN]);
};

const shell: Unwrap = ([option, text, ...more]) =>
  option?.text === '-c' && text?.kind === 'literal' && more.length === 0
    ? { kind: 'text', text: text.text }
    : null;

const literal = (text: string): ShellWord => ({ kind: 'literal', text });
const WITHOUT_EFFECT = [literal('echo')];
const READ_WHEN_RUN: ShellWord = { kind: 'unknown', text: '$@' };

const WRAPPERS: ReadonlyMap<string, Unwrap> = new Map([
  ['command', command],
  ['env', env],
  ['timeout', timeout],
  ['nice', nice],
  ['nohup', (args: readonly ShellWord[]) => started(behindOptions(args, NEVER, NEVER) ?? [])],
  ['xargs', xargs],
  ['bash', shell],
  ['sh', shell],
]);

/** Null: it is no wrapper, or not in a form that can be seen through. */
export function unwrap([program, ...args]: readonly ShellWord[]): Unwrapped | null {
  return WRAPPERS.get(program?.text ?? '')?.(args) ?? null;
}
