/** A home and a workspace of their own for one session, and the program run there as a person would. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OURO, startNode, type Running } from '../bench/ouro.js';
import type { Place } from '../test/support/e2e/place.js';
import { killQuietly, MARK, processesOf } from '../test/support/e2e/processes.js';

export interface ChaosPlace extends Place {
  /** Outside of the workspace and of the home. */
  readonly ledger: string;
}

/** So small that a session of some fifty rounds is compacted several times. */
const WINDOW_TOKENS = 9_000;

/** A server that hangs is found out soon, and two failures are an outage. */
const CONFIG = `[model]
first_token_timeout = 2
silence_timeout = 2
retries = 1
[context]
window = ${WINDOW_TOKENS}
`;

/** `keep`: where the ledger lies; another disk than the rest, if need be. */
export function newPlace(folder: string, keep = folder): ChaosPlace {
  mkdirSync(folder, { recursive: true });
  mkdirSync(keep, { recursive: true });
  const root = realpathSync(folder);
  const [home, workspace, user] = ['home', 'work', 'user'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(workspace);
  mkdirSync(user);
  writeFileSync(join(home, 'config.toml'), CONFIG, { mode: 0o600 });
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: user,
    LANG: 'C.UTF-8',
    TMPDIR: tmpdir(),
    OURO_HOME: home,
    [MARK]: root,
  };
  return { root, home, workspace, env, ledger: join(realpathSync(keep), 'ledger') };
}

/** Whatever hangs is ended by its limit, with no exit code. */
export const startVerb = ({ workspace, env }: Place, args: readonly string[]): Running =>
  startNode([OURO, ...args], { cwd: workspace, env, keepOutput: true });

/** The processes that keep a session going: its own, and whoever would start it again. */
export interface Keepers {
  readonly daemons: readonly number[];
  readonly guardians: readonly number[];
}

export function keepersOf(place: Place): Keepers {
  const found = processesOf(place);
  const pids = (pattern: RegExp): number[] =>
    found.filter(({ commandLine }) => pattern.test(commandLine)).map(({ pid }) => pid);
  return {
    daemons: pids(/ouro\.js __daemon$/),
    guardians: pids(/ouro\.js __revive |^\/bin\/sh -c .*ouro-guardian/s),
  };
}

/** The guardian first, where it is to go too: it must not see its daemon die. Returns those that were hit. */
export function killKeepers(place: Place, which: 'daemon' | 'both'): readonly number[] {
  const { guardians, daemons } = keepersOf(place);
  const targets = which === 'both' ? [...guardians, ...daemons] : daemons;
  return targets.filter((pid) => killQuietly(pid));
}
