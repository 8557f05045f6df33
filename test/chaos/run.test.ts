/** A few lives of real sessions that are killed, and one on a disk that fills up. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { obstacle, surviveFullDisk } from '../../chaos/full-disk.js';
import { whatToLookAt } from '../../chaos/report.js';
import { runChaos } from '../../chaos/run.js';
import { Tally } from '../../chaos/tally.js';
import { chosenSeed } from '../support/e2e/seed.js';

/** `npm run chaos` has the patience for more. */
const LIVES = 6;
const LAST_START_MS = 10_000;

const quiet = (): void => undefined;

test(
  'sessions that are killed lose nothing and do nothing twice',
  { timeout: 150_000 },
  async () => {
    const seed = chosenSeed();
    const run = await runChaos({ seed, lives: LIVES, ms: LAST_START_MS, disks: false }, quiet);
    const { tally } = run;
    expect(tally.findings, `E2E_SEED=${seed}\n${whatToLookAt(run, seed)}`).toEqual([]);
    expect(run.folder).toBeNull();
    const kills = [...tally.kills.values()].reduce((sum, count) => sum + count, 0);
    expect(kills).toBeGreaterThan(0);
    expect(tally.effects).toBeGreaterThan(0);
  },
);

test('a session whose disk fills up loses nothing, and goes on when there is room', async (context) => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'ouro-chaos-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const reason = await obstacle(disk);
  context.skip(reason !== null, `no disk of its own here: ${reason ?? ''}`);
  const tally = new Tally();
  await surviveFullDisk(join(folder, 'session'), { number: 1, seed: chosenSeed(), tally });
  expect(tally.findings).toEqual([]);
  expect(tally).toMatchObject({ fullDisks: 1, skipped: [], sessions: 1 });
});
