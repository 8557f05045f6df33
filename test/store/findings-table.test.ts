import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import { openDatabase } from '../../src/store/database.js';
import { openIndex, type IndexStore } from '../../src/store/index-store.js';
import { ensureHome, indexFile } from '../../src/store/layout.js';
import { MIGRATIONS } from '../../src/store/session-record.js';
import { START } from '../support/session-samples.js';
import { tempFolder } from './temp-folder.js';

const ONE = '11111111-0000-4000-8000-000000000000' as SessionId;
const TWO = '22222222-0000-4000-8000-000000000000' as SessionId;
const HERE = '/home/me/space';

function newHome(): string {
  const home = tempFolder();
  ensureHome(home);
  return home;
}
function open(home: string): IndexStore {
  const index = openIndex({ home, time: { now: () => START } });
  onTestFinished(() => index.close());
  return index;
}
const finding = (title: string) => ({ title, description: 'd' });

test('the newest findings of a workspace come first, without those of one session', () => {
  const { findings } = open(newHome());
  findings.put(HERE, ONE, 1, finding('a'), START);
  findings.put(HERE, ONE, 2, finding('b'), START + 2);
  findings.put(HERE, TWO, 1, finding('c'), START + 1);
  findings.put('/elsewhere', TWO, 2, finding('x'), START + 9);
  const nobody = '0' as SessionId;
  expect(findings.newest(HERE, nobody, 9).map(({ title }) => title)).toEqual(['b', 'c', 'a']);
  expect(findings.newest(HERE, nobody, 2)).toHaveLength(2);
  expect(findings.newest(HERE, ONE, 9)).toEqual([finding('c')]);
});

test('one that is put again is corrected and keeps its time', () => {
  const { findings } = open(newHome());
  findings.put(HERE, ONE, 1, finding('a'), START);
  findings.put(HERE, ONE, 2, finding('b'), START + 1);
  findings.put(HERE, ONE, 1, finding('A'), START + 5);
  expect(findings.newest(HERE, TWO, 9)).toEqual([finding('b'), finding('A')]);
});

test('an index from before there were findings gets room for them and keeps what it had', () => {
  const home = newHome();
  const before = MIGRATIONS.findIndex((step) => step.includes('TABLE findings'));
  writeFileSync(indexFile(home), '');
  const db = openDatabase({ file: indexFile(home), access: 'write', busyMs: 0 });
  for (const step of MIGRATIONS.slice(0, before)) db.exec(step);
  db.pragma(`user_version = ${before}`);
  db.exec(`INSERT INTO trust VALUES ('${HERE}', '', 'h', '{}', 1)`);
  db.close();
  const index = open(home);
  index.findings.put(HERE, ONE, 1, finding('a'), START);
  expect(index.findings.newest(HERE, TWO, 9)).toEqual([finding('a')]);
  expect(index.trust.get(HERE)).toEqual({ hash: 'h', digests: {} });
});
