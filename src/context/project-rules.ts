/**
 * Rules of a project that hold for some paths only: `.ouro/rules/*.md`, each with an optional list of
 * patterns (as in `.gitignore`) in its front matter. Without patterns a rule holds everywhere.
 *
 *   ---
 *   paths: ["src/api/**", "*.sql"]
 *   ---
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ignore from 'ignore';
import { readInstructions } from './instruction-file.js';

export interface ProjectRule {
  /** Relative to the workspace. */
  readonly file: string;
  /** Empty: everywhere. */
  readonly paths: readonly string[];
  readonly text: string;
}

const FOLDER = join('.ouro', 'rules');

/** More rules than this are no rules. */
const MAX_RULES = 50;

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n?/;

/** In the order of their names. */
export function projectRules(workspace: string): readonly ProjectRule[] {
  return names(join(workspace, FOLDER)).flatMap((name) => {
    const file = join(FOLDER, name);
    const whole = readInstructions(join(workspace, file), workspace);
    if (whole === null) return [];
    const front = FRONT_MATTER.exec(whole);
    const text = whole.slice(front?.[0].length ?? 0).trim();
    return text === '' ? [] : [{ file, paths: patternsOf(front?.[1] ?? ''), text }];
  });
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort()
      .slice(0, MAX_RULES);
  } catch {
    return [];
  }
}

/** `paths: a, b`, `paths: ["a", "b"]`, or one `- a` on each line below it. */
function patternsOf(front: string): string[] {
  const lines = front.split('\n');
  const at = lines.findIndex((line) => line.startsWith('paths:'));
  if (at < 0) return [];
  const inline = (lines[at] ?? '').slice('paths:'.length);
  const below = lines.slice(at + 1);
  const end = below.findIndex((line) => !/^\s*-/.test(line));
  const listed = (end < 0 ? below : below.slice(0, end)).map((line) => line.replace(/^\s*-/, ''));
  return [...inline.replace(/[[\]]/g, '').split(','), ...listed]
    .map((pattern) => pattern.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((pattern) => pattern !== '');
}

/** `path` is relative to the workspace; patterns are those of `.gitignore`. */
export const ruleHoldsFor = ({ paths }: ProjectRule, path: string): boolean =>
  paths.length > 0 && ignore().add(paths).ignores(path);
