/** What is asked of a run of chaos on its command line. */
import { parseArgs } from 'node:util';
import { CHECKS } from './finding.js';
import { DISTURBANCES } from './disturbances.js';
import { POINTS } from './kill-points.js';

/** About two minutes. */
const DEFAULT_LIVES = 40;
const MS_A_MINUTE = 60_000;

export interface Wishes {
  readonly seed: number;
  /** No further life is begun after so many, or after so long. */
  readonly lives: number;
  readonly ms: number;
  /** Disks are filled, too. */
  readonly disks: boolean;
  readonly json: boolean;
}

const list = (entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .map(([name, meaning]) => `  ${name.padEnd(20)} ${meaning}`)
    .join('\n');

export const USAGE = `usage: npm run chaos -- [--lives N | --minutes N] [--seed S] [--json]

Runs sessions of the built program, kills them, and sees what is left. Exits with 0 only when every promise was kept.

  --lives N            so many processes of sessions are brought to life (default ${DEFAULT_LIVES})
  --minutes N          as many as there is time for
  --seed S             the plan of an earlier run; what real processes make of it differs
  --json               the figures as JSON

Killed:
${list(POINTS)}

Before that:
${list(DISTURBANCES)}
  full disk            on a small one of its own, where bubblewrap can make one

Watched:
${list(CHECKS)}
`;

const OPTIONS = {
  lives: { type: 'string' },
  minutes: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** A text: what to tell whoever asked, and why there is no run. */
export function wishesOf(args: readonly string[], anySeed: () => number): Wishes | string {
  let values: ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];
  try {
    ({ values } = parseArgs({ args: [...args], options: OPTIONS }));
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`;
  }
  if (values.help) return USAGE;
  const { lives, minutes, seed, json } = values;
  if (lives !== undefined && minutes !== undefined)
    return `Lives or minutes, not both.\n\n${USAGE}`;
  const numbers = [lives, minutes, seed].filter((text) => text !== undefined);
  if (!numbers.every((text) => /^[1-9]\d*$/.test(text))) {
    return `--lives, --minutes and --seed want a number from 1 on.\n\n${USAGE}`;
  }
  return {
    seed: seed === undefined ? anySeed() : Number(seed),
    lives: minutes === undefined ? Number(lives ?? DEFAULT_LIVES) : Infinity,
    ms: minutes === undefined ? Infinity : Number(minutes) * MS_A_MINUTE,
    disks: true,
    json,
  };
}
