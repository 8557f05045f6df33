/** What every verdict of one session stands on. */
import { relative } from 'node:path';
import type { Home } from './forbidden.js';
import type { Bounds } from './read-only.js';
import type { RuleBook } from './rule-book.js';

export const MODES = ['default', 'accept-edits', 'plan', 'dont-ask', 'bypass'] as const;
export type Mode = (typeof MODES)[number];

export interface Ground {
  readonly mode: Mode;
  readonly book: RuleBook;
  readonly home: Home;
  readonly bounds: Bounds;
  readonly sandboxed: boolean;
  /** Every name of a path: as given, where it leads seen from the workspace, and where it leads. */
  readonly spellingsOf: (path: string, real: string | null) => readonly string[];
}

export const spellingsFrom =
  (workspace: string): Ground['spellingsOf'] =>
  (path, real) =>
    real === null ? [path] : [path, relative(workspace, real), real];
