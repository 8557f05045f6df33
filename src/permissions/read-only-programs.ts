/**
 * The programs that are known to only read, each with the options for which that holds. Left out on purpose:
 * all that can write or start something through an option or operand (sort -o, uniq IN OUT, find -exec, sed,
 * awk, git, xargs, env, date -s, rg --pre), follow links out of the workspace while walking, or never end.
 */

export interface Program {
  /** Single letters without a value. */
  readonly flags: string;
  /** Single letters with a value; none of these values is a path. */
  readonly values: string;
  /** Exact long options; one that ends in `=` takes its value behind it. */
  readonly long: readonly string[];
  readonly operands: 'paths' | 'text' | 'pattern-first';
  /** `-20` is a number of lines. */
  readonly count: boolean;
  /** Without operands it reads the folder it runs in. */
  readonly defaultsToHere: boolean;
}

const NONE = {
  flags: '',
  values: '',
  long: [],
  operands: 'paths',
  count: false,
  defaultsToHere: false,
} satisfies Program;

/** Programs whose every argument is text. */
export const OPTIONLESS_TEXT: ReadonlySet<string> = new Set(['echo', 'true', 'false', ':']);

const program = (name: string, known: Partial<Program>): [string, Program] => [
  name,
  { ...NONE, ...known },
];

export const PROGRAMS: ReadonlyMap<string, Program> = new Map([
  // Not -L and -H, which look behind links.
  program('ls', {
    flags: '1aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ',
    long: ['--all', '--almost-all', '--human-readable', '--recursive', '--reverse', '--directory'],
    defaultsToHere: true,
  }),
  program('cat', { flags: 'AbeEnstTuv', long: ['--number', '--show-all'] }),
  program('head', { flags: 'qvz', values: 'nc', long: ['--lines=', '--bytes='], count: true }),
  // Not -f and -F, which never end.
  program('tail', { flags: 'qvz', values: 'nc', long: ['--lines=', '--bytes='], count: true }),
  program('wc', { flags: 'clLmw', long: ['--lines', '--words', '--bytes', '--chars'] }),
  program('nl', { flags: 'p', values: 'bfhdilnsvw' }),
  program('cut', { flags: 'nsz', values: 'bcdf', long: ['--complement', '--output-delimiter='] }),
  program('stat', { flags: 'ft', values: 'c', long: ['--format=', '--printf=', '--terse'] }),
  program('du', {
    flags: '0abchklmsSx',
    values: 'd',
    long: ['--max-depth=', '--apparent-size', '--human-readable', '--summarize', '--total'],
    defaultsToHere: true,
  }),
  program('sha256sum', {}),
  program('md5sum', {}),
  // Not -R, which walks through links, and not -f, which reads patterns from a file.
  program('grep', {
    flags: 'bcEFGhHilLnoqrsvwxyZ',
    values: 'mABC',
    long: ['--include=', '--exclude=', '--exclude-dir=', '--color=', '--ignore-case', '--count'],
    operands: 'pattern-first',
    count: true,
    defaultsToHere: true,
  }),
  program('tr', { flags: 'cCdst', operands: 'text' }),
  program('basename', { flags: 'az', values: 's', operands: 'text' }),
  program('dirname', { flags: 'z', operands: 'text' }),
  program('pwd', { flags: 'LP', operands: 'text' }),
  program('uname', { flags: 'aimnoprsv', operands: 'text' }),
  program('which', { flags: 'a', operands: 'text' }),
]);
