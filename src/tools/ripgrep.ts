/** Runs ripgrep, and takes names of files out of what it prints as they come. */
import type { MayRead } from './closed-files.js';
import type { Boundary } from './paths.js';
import type { ProcessGroups, ProgramEnd } from './process.js';

export interface RipgrepParts {
  readonly boundary: Boundary;
  readonly groups: ProcessGroups;
  /** Already without secrets. */
  readonly environment: NodeJS.ProcessEnv;
  /** Null: no rule closes any file. */
  readonly mayRead: MayRead | null;
}

export interface RipgrepRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly output: (chunk: Buffer) => void;
}

export interface RipgrepEnd {
  readonly end: ProgramEnd;
  /** What it had to say, usually nothing. */
  readonly complaint: string;
}

/**
 * Neither a configuration of its own nor colours nor complaints about single files; a NUL after each path,
 * so that names with colons or newlines stay whole.
 */
const PLAIN = ['--no-config', '--no-messages', '--color=never', '--null', '--hidden'];

/** Of what it says about a pattern that it does not understand. */
const MAX_COMPLAINT_BYTES = 2_000;

export async function runRipgrep(
  { groups, environment }: RipgrepParts,
  { args, cwd, signal, output }: RipgrepRun,
): Promise<RipgrepEnd> {
  const { rgPath } = await import('@vscode/ripgrep');
  const complaint: Buffer[] = [];
  const end = await groups.run({
    file: rgPath,
    args: [...PLAIN, ...args],
    cwd,
    env: environment,
    signal,
    output: (chunk, from) => {
      if (from === 'stdout') output(chunk);
      else complaint.push(chunk);
      return undefined;
    },
  });
  const said = Buffer.concat(complaint).toString('utf8', 0, MAX_COMPLAINT_BYTES).trim();
  return { end, complaint: said };
}

const NUL = 0;

/** Takes chunks of names, each with a NUL behind it, and hands over one name after the other. */
export function eachName(found: (path: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(NUL); end >= 0; end = bytes.indexOf(NUL, start)) {
      found(bytes.toString('utf8', start, end).replace(/^\.\//, ''));
      start = end + 1;
    }
    rest = Buffer.from(bytes.subarray(start));
  };
}
