/**
 * A table of attacks. Each row has what is tried and its counterpart, which looks alike and must work: refusing
 * everything would be a failure too. Rows in which the sandbox matters are tried with and without it.
 */
import type { ToolOutcome } from '../../messages/tools.js';
import { newGround, type Ground, type GroundOptions } from './ground.js';

export interface Attempt {
  /** A ground of its own for each attempt. */
  readonly ground: (options?: Omit<GroundOptions, 'confined'>) => Promise<Ground>;
  /** Commands run in the sandbox. */
  readonly confined: boolean;
}

export interface Row {
  readonly tried: string;
  /** False: it got what it wanted. What it did to the ground is looked at besides. */
  readonly attack: (attempt: Attempt) => Promise<boolean>;
  readonly counterpart: string;
  /** False: it was refused, or did not do what it should. */
  readonly allowed: (attempt: Attempt) => Promise<boolean>;
}

export interface Area {
  readonly area: string;
  /** Tried twice, with and without the sandbox. */
  readonly inBoth: boolean;
  readonly rows: readonly Row[];
}

/** Runs one side of a row; returns what went wrong, [] when nothing did. */
export async function attempt(
  side: Row['attack'],
  confined: boolean,
): Promise<{ readonly held: boolean; readonly damage: readonly string[] }> {
  const grounds: Ground[] = [];
  const ground: Attempt['ground'] = async (options = {}) => {
    const made = await newGround({ ...options, confined });
    grounds.push(made);
    return made;
  };
  const held = await side({ ground, confined });
  return { held, damage: grounds.flatMap((made) => made.damage()) };
}

export const isRefused = ({ status }: ToolOutcome): boolean =>
  status === 'failed' || status === 'denied';

export const isOk = ({ status }: ToolOutcome): boolean => status === 'ok';

/** Its command ended well and printed this. */
export const printed = ({ status, text }: ToolOutcome, expected: string): boolean =>
  status === 'ok' && text === `[exit: 0]\n${expected}`;
