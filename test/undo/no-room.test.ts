import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MAIN_AGENT, type CallId } from '../../messages/ids.js';
import type { JournalFact } from '../../messages/journal.js';
import { SessionKeeper, type KeeperParts } from '../../src/undo/keeper.js';
import { newPlace, treeOf } from './workspace.js';

/** A device that never has room. */
const FULL = '/dev/full';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A workspace with one file, whose content finds no room the first time that it is to be kept. */
function bench(waitForRoom?: KeeperParts['waitForRoom']) {
  const { workspace, dir, settings } = newPlace();
  const facts: JournalFact[] = [];
  const journal = {
    append: (added: readonly JournalFact[]) => Promise.resolve(facts.push(...added)),
  };
  const keeper = new SessionKeeper({
    ...settings,
    journal,
    isReadOnly: () => false,
    ...(waitForRoom === undefined ? {} : { waitForRoom }),
  });
  onTestFinished(() => keeper.close());
  writeFileSync(join(workspace, 'a.txt'), 'before');
  writeFileSync(join(workspace, 'b.txt'), 'other');
  const noRoomFor = (text: string): void => {
    mkdirSync(join(dir, 'spare'), { recursive: true });
    symlinkSync(FULL, join(dir, 'spare', hashOf(text)));
  };
  const call = (more: { path?: string; signal?: AbortSignal } = {}) => ({
    callId: 'c1' as CallId,
    agent: MAIN_AGENT,
    round: 1,
    path: null,
    command: more.path === undefined ? 'make' : null,
    cwd: workspace,
    ...more,
  });
  return { workspace, dir, facts, keeper, noRoomFor, call };
}

const changesIn = (facts: readonly JournalFact[]): readonly string[] =>
  facts.flatMap((fact) =>
    fact.kind === 'files.changed'
      ? [
          ...fact.body.changes.map(({ path }) => path),
          ...(fact.body.notCovered ?? []).map(({ place }) => `! ${place}`),
        ]
      : [],
  );

test.runIf(existsSync(FULL))(
  'a call does not begin before there is room for what it may change',
  async () => {
    const reasons: string[] = [];
    let tries = 0;
    const b = bench(async (reason, attempt) => {
      reasons.push(reason);
      do tries += 1;
      while (!(await attempt()));
    });
    b.noRoomFor('before');
    const isOver = await b.keeper.before(b.call());
    expect([reasons, tries]).toEqual([[expect.stringContaining('ENOSPC')], 1]);
    writeFileSync(join(b.workspace, 'a.txt'), 'after');
    expect(await isOver()).toBeNull();
    expect(changesIn(b.facts)).toEqual(['a.txt']);
    expect(treeOf(b.dir)[`content/${hashOf('before')}`]).toMatch(/before$/);
  },
);

test.runIf(existsSync(FULL))(
  'what was found before the disk was full is not forgotten when it is looked for again',
  async () => {
    const b = bench(async (_reason, attempt) => {
      while (!(await attempt()));
    });
    const isOver = await b.keeper.before(b.call());
    writeFileSync(join(b.workspace, 'a.txt'), 'changed a');
    writeFileSync(join(b.workspace, 'b.txt'), 'changed b');
    b.noRoomFor('changed b');
    expect(await isOver()).toBeNull();
    expect([...changesIn(b.facts)].sort()).toEqual(['a.txt', 'b.txt']);
  },
);

test.runIf(existsSync(FULL))('a call that is cancelled while it waits keeps nothing', async () => {
  const cancel = new AbortController();
  const b = bench((_reason, _attempt, signal) => {
    cancel.abort();
    expect(signal.aborted).toBe(true);
    return Promise.resolve();
  });
  b.noRoomFor('before');
  const isOver = await b.keeper.before(b.call({ signal: cancel.signal }));
  expect([await isOver(), b.facts]).toEqual([null, []]);
});

test.runIf(existsSync(FULL))('where nobody waits it is said that nothing is covered', async () => {
  const b = bench();
  b.noRoomFor('before');
  const isOver = await b.keeper.before(b.call({ path: join(b.workspace, 'a.txt') }));
  expect(await isOver()).toMatch(/not covered: what it holds could not be kept: ENOSPC/);
  expect(changesIn(b.facts)).toEqual(['! .']);
});
