import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { daemonLogWriter, olderLog } from '../../src/cli/daemon-log-writer.js';
import { temporaryFolder } from '../control/control-fixture.js';

const MAX_BYTES = 100;

/** A log of 10 bytes a line, as a daemon has it. */
async function openLog() {
  const file = join(await temporaryFolder(), 'daemon.log');
  const fd = openSync(file, 'a');
  onTestFinished(() => closeSync(fd));
  const log = daemonLogWriter({ file, fd, maxBytes: MAX_BYTES });
  return {
    file,
    write: async (from: number, to: number) => {
      for (let n = from; n <= to; n += 1) {
        const line = `line ${String(n).padStart(4, '0')}\n`;
        await new Promise((done) => log.write(line, done));
      }
    },
    end: async () => {
      log.end();
      await once(log, 'finish');
    },
  };
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);

test('a log that is full becomes the older one, and no line is lost', async () => {
  const { file, write, end } = await openLog();
  await write(1, 25);
  await end();
  expect(linesOf(olderLog(file))).toHaveLength(10);
  expect([...linesOf(olderLog(file)), ...linesOf(file)]).toEqual(
    Array.from({ length: 15 }, (_, n) => `line ${String(n + 11).padStart(4, '0')}`),
  );
});

test('where there is no room for the older one, the daemon goes on', async () => {
  const { file, write, end } = await openLog();
  mkdirSync(olderLog(file));
  await write(1, 15);
  await end();
  expect(linesOf(file)).toHaveLength(15);
});
