/** A journal that is not what was written: nothing is changed, it is said where, and what is left can be saved. */
import {
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JournalDamage } from '../../src/store/journal-errors.js';
import { finish, nextRequest, start, wholeId } from '../support/e2e/background.js';
import { done, ouro } from '../support/e2e/command-line.js';
import { journalRows, sessionFolder } from '../support/e2e/journal.js';
import { FINISHED, modelServer, untilTold } from '../support/e2e/model-server.js';
import { newPlace, type Place } from '../support/e2e/place.js';

/** Of an exception that nobody has put into words. */
const STACK = /^ +at /m;

interface Stopped {
  readonly place: Place;
  readonly id: string;
  readonly file: string;
}

async function stoppedSession(): Promise<Stopped> {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const id = await start(place, server);
  for (let round = 0; round < 4; round += 1) await nextRequest(server);
  await done(place, ['stop', id]);
  return { place, id, file: join(sessionFolder(place, wholeId(place, id)), 'journal.db') };
}

/** Alters one byte of a row that holds `text`. Old copies of rows lie in the file too, and do not count. */
function flip({ place, id, file }: Stopped, text: string): void {
  const sound = readFileSync(file);
  for (let at = sound.indexOf(text); at >= 0; at = sound.indexOf(text, at + 1)) {
    const bytes = Buffer.from(sound);
    bytes.writeUInt8((bytes[at] ?? 0) ^ 0x01, at);
    writeFileSync(file, bytes);
    if (isDamaged(place, id)) return;
  }
  throw new Error(`no row holds ${text}`);
}

function isDamaged(place: Place, id: string): boolean {
  try {
    journalRows(place, wholeId(place, id));
    return false;
  } catch (error) {
    return error instanceof JournalDamage;
  }
}

const sizeOf = (file: string): number => statSync(file).size;

const damages: readonly { readonly name: string; readonly damage: (stopped: Stopped) => void }[] = [
  { name: 'an altered early row', damage: (stopped) => flip(stopped, 'Go on.') },
  { name: 'an altered late row', damage: (stopped) => flip(stopped, 'stopped by a person') },
  { name: 'a missing end', damage: ({ file }) => truncateSync(file, sizeOf(file) - 4096) },
  { name: 'half of it missing', damage: ({ file }) => truncateSync(file, sizeOf(file) / 2) },
  {
    name: 'a header that makes no sense',
    damage: ({ file }) => {
      const bytes = readFileSync(file);
      bytes.fill('garbage!', 0, 96);
      writeFileSync(file, bytes);
    },
  },
  { name: 'nothing in it', damage: ({ file }) => truncateSync(file, 0) },
];

test.for(damages)(
  'a journal with $name is refused, named, and left as it is',
  async ({ damage }) => {
    const stopped = await stoppedSession();
    const { place, id, file } = stopped;
    damage(stopped);
    const before = readFileSync(file);
    for (const args of [
      ['resume', id],
      ['run', '-p', '-r', id, 'More.'],
    ]) {
      const { code, stderr } = await ouro(place, args);
      expect(code).not.toBe(0);
      expect(stderr).toContain(file);
      expect(stderr).toContain(`ouro resume ${id} --salvage`);
      expect(stderr).not.toMatch(STACK);
    }
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    // Looking at it works as far as it goes.
    const logs = await ouro(place, ['logs', id]);
    expect(logs.code).toBe(1);
    expect(logs.stderr).toContain(file);
    expect((await ouro(place, ['ls', '--all'])).code).toBe(0);
  },
);

test('resume --salvage goes on from the last good row and keeps the damaged file aside', async () => {
  const stopped = await stoppedSession();
  const { place, id, file } = stopped;
  const whole = journalRows(place, wholeId(place, id));
  flip(stopped, '"callId":"main_3_1"');
  const damaged = readFileSync(file);
  const resumed = await done(place, ['resume', id, '--salvage']);
  expect(resumed.stdout).toContain('journal.db.damaged-1');
  expect(readFileSync(`${file}.damaged-1`).equals(damaged)).toBe(true);
  expect(await finish(place, id)).toBe(0);
  const rows = journalRows(place, wholeId(place, id));
  const kept = rows.findIndex(({ kind }) => kind === 'session.resumed');
  expect(kept).toBeGreaterThan(5);
  expect(rows.slice(0, kept)).toEqual(whole.slice(0, kept));
  expect(rows.at(-1)).toMatchObject({ body: { status: 'done', text: FINISHED } });
});

test('where no row is left, salvage says that there is nothing to go on from', async () => {
  const { place, id, file } = await stoppedSession();
  writeFileSync(file, 'this was a journal once');
  const { code, stderr } = await ouro(place, ['resume', id, '--salvage']);
  expect(code).not.toBe(0);
  expect(stderr).toContain(sessionFolder(place, wholeId(place, id)));
  expect(stderr).not.toMatch(STACK);
  expect(readFileSync(`${file}.damaged-1`, 'utf8')).toBe('this was a journal once');
});

test('a sound journal is not touched by --salvage', async () => {
  const { place, id } = await stoppedSession();
  const { stdout } = await done(place, ['resume', id, '--salvage']);
  expect(stdout).toContain('the journal is sound');
  expect(await finish(place, id)).toBe(0);
  expect(readdirSync(sessionFolder(place, wholeId(place, id))).join()).not.toContain('damaged');
});

test('a damaged list of sessions is named and left as it is', async () => {
  const { place, id } = await stoppedSession();
  const index = join(place.home, 'ouro.db');
  writeFileSync(index, 'garbage');
  const { code, stderr } = await ouro(place, ['resume', id]);
  expect(code).not.toBe(0);
  expect(stderr).toContain(`mv '${index}'`);
  expect(stderr).not.toMatch(STACK);
  expect(readFileSync(index, 'utf8')).toBe('garbage');
});

test('without the list of sessions they are still found, by what each keeps of itself', async () => {
  const { place, id } = await stoppedSession();
  renameSync(join(place.home, 'ouro.db'), join(place.home, 'ouro.db.damaged'));
  const listed = await ouro(place, ['ls', '--all']);
  const resumed = await ouro(place, ['resume', id]);
  expect(listed.stdout).toContain(id);
  expect(resumed.code).toBe(0);
  expect(await finish(place, id)).toBe(0);
});
