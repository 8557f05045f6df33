/**
 * Reads one file of instructions with the files it includes. Only regular files inside their root, links
 * followed first; never more than the limit in all, and what was left out is said in the text.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';

/** Instructions beyond this crowd out the work; other agents stop at the same size. */
export const MAX_INSTRUCTION_BYTES = 40 * 1024;

/** Deeper includes are a mistake, or a circle that changes its names. */
const MAX_INCLUDE_DEPTH = 5;

/** A line of its own: `@include docs/style.md`, or `@docs/style.md`. */
const INCLUDE = /^@(?:include\s+)?([\w./-]+\.(?:md|txt))\s*$/;

const SAFE_READ = constants.O_RDONLY | constants.O_NONBLOCK;

/** Null: there is no such file. */
export function readInstructions(file: string, root: string): string | null {
  const real = realInside(file, root);
  if (real === null) return null;
  const text = readText(real, MAX_INSTRUCTION_BYTES);
  return text === null ? null : withIncludes(text, real, root, new Set([real])).trim();
}

/** The beginning of a regular file inside its root; null: there is none. */
export function readPlain(file: string, root: string, maxBytes: number): string | null {
  const real = realInside(file, root);
  return real === null ? null : readText(real, maxBytes);
}

function withIncludes(text: string, file: string, root: string, open: ReadonlySet<string>): string {
  let room = MAX_INSTRUCTION_BYTES;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const shown = included(line, file, root, open) ?? line;
    room -= Buffer.byteLength(shown) + 1;
    if (room < 0) {
      lines.push(`[the rest is left out: more than ${MAX_INSTRUCTION_BYTES / 1024} KB]`);
      break;
    }
    lines.push(shown);
  }
  return lines.join('\n');
}

/** Null: the line includes nothing. */
function included(
  line: string,
  file: string,
  root: string,
  open: ReadonlySet<string>,
): string | null {
  const name = INCLUDE.exec(line)?.[1];
  if (name === undefined) return null;
  const real = realInside(resolve(dirname(file), name), root);
  if (real === null) return `[${name} is not included: no such file inside ${root}]`;
  if (open.has(real)) return `[${name} is not included again]`;
  if (open.size > MAX_INCLUDE_DEPTH) return `[${name} is not included: too deep]`;
  const text = readText(real, MAX_INSTRUCTION_BYTES);
  if (text === null) return `[${name} is not included: it cannot be read]`;
  return withIncludes(text.trimEnd(), real, root, new Set([...open, real]));
}

function realInside(file: string, root: string): string | null {
  try {
    const real = realpathSync(file);
    const path = relative(realpathSync(root), real);
    return path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
      ? null
      : real;
  } catch {
    return null;
  }
}

/** At most `maxBytes`, whole characters; null: it is no regular file, or not to be read. */
function readText(real: string, maxBytes: number): string | null {
  let fd: number;
  try {
    fd = openSync(real, SAFE_READ);
  } catch {
    return null;
  }
  try {
    if (!fstatSync(fd).isFile()) return null;
    const bytes = Buffer.alloc(maxBytes + 1);
    const length = readSync(fd, bytes, 0, bytes.length, 0);
    const text = bytes.subarray(0, length).toString('utf8');
    return length > maxBytes ? text.replace(/\uFFFD+$/, '') : text;
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}
