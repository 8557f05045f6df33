import { expect, onTestFinished, test } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import { openDatabase } from '../../src/store/database.js';
import { openIndex } from '../../src/store/index-store.js';
import type { TrustTable } from '../../src/store/trust-table.js';
import { recordOf } from './session-samples.js';
import { tempFolder } from './temp-folder.js';

const id = (text: string): SessionId => text as SessionId;
const ACCEPTED = { hash: 'abc', digests: { '.env': '1', __proto: '2' } };

function open(home: string): TrustTable {
  const index = openIndex({ home, time: { now: () => 1 } });
  onTestFinished(() => index.close());
  return index.trust;
}

test('what was accepted of a workspace is found again by any process, and nowhere else', () => {
  const home = tempFolder();
  expect(open(home).get('/w')).toBeNull();
  open(home).set('/w', ACCEPTED);
  expect(open(home).get('/w')).toEqual(ACCEPTED);
  expect(open(home).get('/w/inside')).toBeNull();
  expect(open(home).get('/w', id('aaaa-1'))).toBeNull();
  open(home).set('/w', { hash: 'def', digests: {} });
  expect(open(home).get('/w')).toEqual({ hash: 'def', digests: {} });
});

test('what a session was trusted with is its own, and goes with the trust of the workspace', () => {
  const trust = open(tempFolder());
  trust.set('/w', ACCEPTED, id('aaaa-1'));
  expect(trust.get('/w')).toBeNull();
  expect(trust.get('/w', id('aaaa-2'))).toBeNull();
  expect(trust.get('/w', id('aaaa-1'))).toEqual(ACCEPTED);
  expect(trust.revoke('/w')).toBe(true);
  expect(trust.get('/w', id('aaaa-1'))).toBeNull();
  expect(trust.revoke('/w')).toBe(false);
});

test('an index of before keeps its sessions and can keep trust from then on', () => {
  const home = tempFolder();
  const first = openIndex({ home, time: { now: () => 1 } });
  first.put(recordOf('aaaa-1'));
  first.close();
  const db = openDatabase({ file: `${home}/ouro.db`, access: 'write', busyMs: 1000 });
  for (const table of ['trust', 'reservations', 'spending', 'findings', 'endpoints'])
    db.exec(`DROP TABLE ${table}`);
  db.exec('ALTER TABLE sessions DROP COLUMN heldUntil');
  db.pragma('user_version = 1');
  db.close();
  const index = openIndex({ home, time: { now: () => 1 } });
  onTestFinished(() => index.close());
  expect(index.list({ all: true })).toHaveLength(1);
  index.trust.set('/w', ACCEPTED);
  expect(index.trust.get('/w')).toEqual(ACCEPTED);
});
