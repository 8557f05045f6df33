/** What every verb of the command line is given: its surroundings as values, so that a test can choose them. */
import type { Writable } from 'node:stream';
import { ouroHome, type Environment } from '../../config/home.js';
import type { Millis } from '../../messages/ids.js';
import type { Terminal } from './run-end.js';
import type { SignalSource } from '../../tui/dashboard.js';

export interface VerbContext {
  /** Where ouro keeps its files; it need not exist. */
  readonly home: string;
  readonly env: Environment;
  readonly cwd: string;
  /** stdout: results only. */
  readonly out: Writable;
  /** stderr: everything else. */
  readonly err: Writable;
  /** A person looks at stdout and can type. */
  readonly isTerminal: boolean;
  now(): Millis;
  /** Where signals are heard; without it those of this process. */
  readonly signals?: SignalSource;
}

/** Cells of the terminal; Infinity where there is none. */
export function widthOf({ out, isTerminal }: VerbContext): number {
  const columns = isTerminal && 'columns' in out ? out.columns : undefined;
  return typeof columns === 'number' && columns > 0 ? columns : Infinity;
}

/** Colour only for a person who did not say no to it. */
export const wantsColour = ({ env, isTerminal }: VerbContext): boolean =>
  isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';

/** Of this process. */
export function verbContext({ out, err, env }: Terminal): VerbContext {
  return {
    home: ouroHome(env),
    env,
    cwd: process.cwd(),
    out,
    err,
    isTerminal: out.isTTY && process.stdin.isTTY,
    now: () => Date.now(),
  };
}
