/**
 * The commands that one command may turn into: itself, and what the programs that start others are given to
 * start, as words or as text. For finding what must not run; errs towards finding more.
 */
import { basename } from 'node:path';
import { looseCommands } from './loose-words.js';

const KEYWORDS = new Set('if then elif else do while until ! { time coproc'.split(' '));
/** Programs that start the one named in their arguments, or take a command as text. */
const STARTERS = new Set(
  'env command exec builtin nohup timeout nice ionice chrt taskset xargs sudo doas su runuser setsid stdbuf unbuffer time strace ltrace watch parallel flock script bash sh dash zsh ksh fish eval source . trap npx npm pnpm yarn bunx node bun deno tsx chroot unshare systemd-run busybox find fd'.split(
    ' ',
  ),
);
/** `bash -c "bash -c …"` deeper than this serves no purpose but hiding. */
const MAX_DEPTH = 4;
/** Where the started command begins is not worked out, so every argument may be it; but not at every length. */
const MAX_WHOLE = 32;
const MAX_CUT = 16;

/** The program of a command and its arguments; assignments and keywords in front of it left out. */
function started(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !/^\w+\+?=/.test(word) && !KEYWORDS.has(word));
  return start < 0 ? [] : words.slice(start);
}

/** Each as program and arguments. */
export function* reachedCommands(
  words: readonly string[],
  depth = 0,
): Generator<readonly string[]> {
  const [program, ...args] = started(words);
  if (program === undefined) return;
  yield [program, ...args];
  const name = basename(program);
  if (!STARTERS.has(name)) return;
  const first = firstStarted(name, args);
  for (let at = first; at < args.length; at += 1) {
    yield args.slice(at, at - first < MAX_WHOLE ? undefined : at + MAX_CUT);
    const text = args[at] ?? '';
    if (depth < MAX_DEPTH && /[\s;&|`(]/.test(text))
      for (const inner of looseCommands(text)) yield* reachedCommands(inner.words, depth + 1);
  }
}

/** The other arguments of a search are names to look for. */
function firstStarted(program: string, args: readonly string[]): number {
  if (program !== 'find' && program !== 'fd') return 0;
  const at = args.findIndex((arg) => /^-(exec|ok|x|X)/.test(arg));
  return at < 0 ? args.length : at;
}
