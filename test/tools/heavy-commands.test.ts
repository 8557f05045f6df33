/** Commands that would exhaust who runs them: each in front of a process whose size is watched. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = join(import.meta.dirname, 'fixtures', 'heavy-command.ts');
const MOST_MB = 64;

interface Cost {
  readonly status: string;
  readonly length: number;
  readonly grownMb: number;
}

async function costOf(command: string, timeout: number): Promise<Cost> {
  const session = randomUUID();
  // As a session in the background is started.
  const args = [
    '--max-semi-space-size=2',
    '--import',
    'tsx',
    PROGRAM,
    session,
    command,
    String(timeout),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(carriersOf(session), 'nothing is left running').toEqual([]);
  return JSON.parse(stdout) as Cost;
}

/** Whatever carries the session in its environment; [] where there is no `/proc` to look at. */
function carriersOf(session: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(session);
    } catch {
      return false;
    }
  });
}

const STUBBORN = "trap '' TERM; while :; do sleep 0.1; done";

test.each([
  ['output without end', 'yes', 3, 'timeout'],
  ['500 MB without a newline', "head -c 500000000 /dev/zero | tr '\\0' x", 50, 'ok'],
  ['a flood on both streams', 'yes & yes >&2', 3, 'timeout'],
  ['a child that ignores TERM', `(${STUBBORN}) & ${STUBBORN}`, 1, 'timeout'],
  ['a child that keeps the pipe', 'sleep 600 & echo started', 30, 'ok'],
  ['a flood from a child that stays', '(setsid yes &) ; echo started', 30, 'ok'],
])('%s is answered within its limit and without growing', async (_, command, limit, status) => {
  // How much is thrown away before the memory is collected varies from run to run, by up to 64 MB; what is
  // held does not.
  let cost = await costOf(command, limit);
  for (let runs = 1; runs < 3 && cost.grownMb >= MOST_MB; runs += 1)
    cost = await costOf(command, limit);
  expect(cost).toMatchObject({ status });
  expect(cost.length).toBeLessThan(31_000);
  expect(cost.grownMb).toBeLessThan(MOST_MB);
});
