/** Every row of the table, each side on a ground of its own, and at the end both shares. */
import { afterAll, describe, expect, test } from 'vitest';
import { whyNot } from '../sandbox/playground.js';
import { bombs } from './areas/bombs.js';
import { controlSocket } from './areas/control-socket.js';
import { exfiltration } from './areas/exfiltration.js';
import { injection } from './areas/injection.js';
import { network } from './areas/network.js';
import { paths } from './areas/paths.js';
import { protocol } from './areas/protocol.js';
import { repositories } from './areas/repositories.js';
import { commandResources, resources } from './areas/resources.js';
import { runaway } from './areas/runaway.js';
import { secrets } from './areas/secrets.js';
import { shellRules } from './areas/shell-rules.js';
import { terminal } from './areas/terminal.js';
import { attempt, type Area, type Row } from './table.js';

const AREAS: readonly Area[] = [
  ...[paths, shellRules, repositories, network, exfiltration, controlSocket, bombs, terminal],
  ...[secrets, resources, commandResources, protocol, injection, runaway],
];

const tally = { tried: 0, refused: 0, counterparts: 0, allowed: 0 };

async function attack({ attack: side }: Row, confined: boolean): Promise<void> {
  tally.tried += 1;
  expect(await attempt(side, confined)).toEqual({ held: true, damage: [] });
  tally.refused += 1;
}

async function counterpart({ allowed: side }: Row, confined: boolean): Promise<void> {
  tally.counterparts += 1;
  expect(await attempt(side, confined)).toEqual({ held: true, damage: [] });
  tally.allowed += 1;
}

describe.each(AREAS)('$area', ({ inBoth, rows }) => {
  describe.each(inBoth && whyNot === null ? [false, true] : [false])(
    'with the sandbox: %s',
    (confined) => {
      test.each(rows)('$tried is refused; $counterpart works', async (row) => {
        await Promise.all([attack(row, confined), counterpart(row, confined)]);
      });
    },
  );
});

afterAll(() => {
  const { tried, refused, counterparts, allowed } = tally;
  process.stdout.write(
    `attacks refused: ${refused} of ${tried}; counterparts allowed: ${allowed} of ${counterparts}\n`,
  );
  if (whyNot !== null) process.stdout.write(`the sandbox was not tried: ${whyNot}\n`);
});

test('everything that was tried was refused, and every counterpart was allowed', () => {
  expect(tally.tried).toBeGreaterThan(100);
  expect(tally).toEqual({ ...tally, refused: tally.tried, allowed: tally.counterparts });
});
