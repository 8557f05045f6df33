/**
 * The programs that are known to only read, each with the options for which that holds. Left out on purpose:
 * all that can write or start something through an option or operand (sort -o, uniq IN OUT, sed, awk, git,
 * xargs, env, rg --pre), follow links out of the workspace while walking (grep -R, diff), or never end.
 * And the few that change files, and nothing else than the files they are given.
 */

export interface Program {
  /** Single letters without a value. */
  readonly flags: string;
  /** Single letters with a value; none of these values is a path. */
  readonly values: string;
  /** Exact long options; one that ends in `=` takes its value behind it. */
  readonly long: readonly string[];
  readonly operands: 'paths' | 'text' | 'pattern-first';
  /** More operands than this mean something else. */
  readonly atMost: number;
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
  atMost: Infinity,
  count: false,
  defaultsToHere: false,
} satisfies Program;

/** Programs whose every argument is text. */
export const OPTIONLESS_TEXT: ReadonlySet<string> = new Set([
  ...['echo', 'true', 'false', ':', 'sleep', 'seq', 'exit', 'break', 'continue'],
]);

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
  // Not -o, -T, -S, --compress-program and --files0-from.
  program('sort', { flags: 'bcCdfghiMnrRsuVz', values: 'kt', long: ['--reverse', '--unique'] }),
  // A second operand is written to.
  program('uniq', { flags: 'cdDiuz', values: 'fsw', long: ['--count'], atMost: 1 }),
  program('cmp', { flags: 'bls', values: 'n' }),
  program('comm', { flags: '123', long: ['--check-order', '--nocheck-order'] }),
  program('tac', {}),
  program('rev', {}),
  program('fold', { flags: 'bs', values: 'w' }),
  program('expand', { flags: 'i', values: 't' }),
  program('realpath', { flags: 'emqsz' }),
  program('readlink', { flags: 'efmnqsvz' }),
  program('nproc', { operands: 'text' }),
  program('tr', { flags: 'cCdst', operands: 'text' }),
  program('basename', { flags: 'az', values: 's', operands: 'text' }),
  program('dirname', { flags: 'z', operands: 'text' }),
  program('pwd', { flags: 'LP', operands: 'text' }),
  program('uname', { flags: 'aimnoprsv', operands: 'text' }),
  program('which', { flags: 'a', operands: 'text' }),
]);

/** They change only the files they are given; allowed where the mode accepts edits. */
export const EDITORS: ReadonlyMap<string, Program> = new Map([
  program('mkdir', { flags: 'pv', long: ['--parents'] }),
  program('touch', { flags: 'acm' }),
  program('cp', { flags: 'afinprRuv', long: ['--recursive', '--archive'] }),
  program('mv', { flags: 'finuv' }),
  program('rm', { flags: 'dfirRv', long: ['--recursive', '--force'] }),
  program('rmdir', { flags: 'pv' }),
]);
