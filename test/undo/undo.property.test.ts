import {
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sameState, type FileState } from '../../messages/changes.js';
import { look, stateNow } from '../../src/undo/file-state.js';
import type { NetChange } from '../../src/undo/history.js';
import { planUndo } from '../../src/undo/plan-undo.js';
import { restore } from '../../src/undo/restore.js';
import { newPlace, SessionRecord, treeOf, type Place } from './workspace.js';

/** Few names, so that files, folders and links often come to stand where another kind stood. */
const NAMES = ['a', 'b', 'c', 'd/a', 'd/b', 'd/e/a', 'd', 'd/e'];

type Operation =
  | { readonly do: 'write'; readonly path: string; readonly content: string }
  | { readonly do: 'remove'; readonly path: string }
  | { readonly do: 'rename'; readonly path: string; readonly to: string }
  | { readonly do: 'chmod'; readonly path: string; readonly mode: number }
  | { readonly do: 'link'; readonly path: string; readonly to: string }
  | { readonly do: 'mkdir'; readonly path: string };

const name = fc.constantFrom(...NAMES);
const write = fc.record({
  do: fc.constant('write' as const),
  path: name,
  content: fc.string({ maxLength: 3 }),
});
const operation: fc.Arbitrary<Operation> = fc.oneof(
  write,
  fc.record({ do: fc.constant('remove' as const), path: name }),
  fc.record({ do: fc.constant('rename' as const), path: name, to: name }),
  fc.record({
    do: fc.constant('chmod' as const),
    path: name,
    mode: fc.constantFrom(0o644, 0o600, 0o755, 0o555, 0o700),
  }),
  fc.record({
    do: fc.constant('link' as const),
    path: name,
    to: fc.constantFrom('a', 'nowhere', '..'),
  }),
  fc.record({ do: fc.constant('mkdir' as const), path: name }),
);

/** What is not possible, such as a file below a file, does nothing. */
function operate(workspace: string, operation_: Operation): void {
  const path = join(workspace, operation_.path);
  try {
    if (operation_.do !== 'chmod' && look(dirname(path)) === null)
      mkdirSync(dirname(path), { recursive: true });
    switch (operation_.do) {
      case 'write': {
        writeFileSync(path, operation_.content);
        return;
      }
      case 'remove': {
        rmSync(path, { recursive: true, force: true });
        return;
      }
      case 'rename': {
        renameSync(path, join(workspace, operation_.to));
        return;
      }
      case 'chmod':
        if (lstatSync(path).isSymbolicLink()) return;
        {
          chmodSync(path, operation_.mode);
          return;
        }
      case 'link': {
        symlinkSync(operation_.to, path);
        return;
      }
      case 'mkdir':
        return void mkdirSync(path, { recursive: true });
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

type Step =
  | { readonly by: 'tool'; readonly operation: Extract<Operation, { do: 'write' }> }
  | { readonly by: 'command' | 'person'; readonly operations: readonly Operation[] };

const operations = fc.array(operation, { minLength: 1, maxLength: 5 });
const ownStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ by: fc.constant('tool' as const), operation: write }),
  fc.record({ by: fc.constant('command' as const), operations }),
);

/** A tool names a path that leads through folders alone, and to no link. */
function isRealPath(workspace: string, path: string): boolean {
  if (['link', 'folder'].includes(look(join(workspace, path))?.kind ?? '')) return false;
  const parts = path.split('/').slice(0, -1);
  const above = parts.map((_, at) => look(join(workspace, ...parts.slice(0, at + 1)))?.kind);
  return above.every((kind) => kind === undefined || kind === 'folder');
}

function take(place: Place, record: SessionRecord, step: Step): void {
  const { workspace } = place;
  if (step.by === 'tool') {
    if (!isRealPath(workspace, step.operation.path)) return;
    record.write(step.operation.path, () => operate(workspace, step.operation));
    return;
  }
  const work = (): void => step.operations.forEach((each) => operate(workspace, each));
  if (step.by === 'command') record.run(work);
  else work();
}

function begin(before: readonly Operation[]): { place: Place; record: SessionRecord } {
  const place = newPlace();
  for (const each of before) operate(place.workspace, each);
  return { place, record: new SessionRecord(place.settings) };
}

test('undoing gives back every byte, mode and link that was there, as of any round', () => {
  fc.assert(
    fc.property(
      fc.array(operation, { maxLength: 8 }),
      fc.array(ownStep, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      (before, steps, nth) => {
        const { place, record } = begin(before);
        const { workspace } = place;
        const trees = [treeOf(workspace)];
        steps.forEach((step, at) => {
          record.beginRound(at + 1);
          take(place, record, step);
          trees.push(treeOf(workspace));
        });
        const to = nth % steps.length;
        const from = record.history.endOf(to) ?? 0;
        for (const [row, tree] of [
          [from, trees[to]],
          [1, trees[0]],
        ] as const) {
          const plan = planUndo(workspace, record.history.since(row));
          expect(plan).toMatchObject({ conflicts: [], notKept: [] });
          const { done, failed } = restore(place, plan.steps);
          expect(failed).toEqual([]);
          expect(treeOf(workspace)).toEqual(tree);
          record.add({
            kind: 'files.undone',
            agent: 'main' as never,
            round: 0,
            body: { to: null, from: row, paths: done },
          });
        }
        expect(record.history.since(1)).toEqual([]);
      },
    ),
    { numRuns: 120 },
  );
});

test('what somebody else wrote is there after undoing, byte for byte', () => {
  const written = fc.record({
    do: fc.constant('write' as const),
    path: fc.constantFrom('a', 'b', 'c', 'd/a'),
    content: fc.nat(9).map((n) => `theirs ${n}`),
  });
  const step: fc.Arbitrary<Step> = fc.oneof(
    ownStep,
    fc.record({
      by: fc.constant('person' as const),
      operations: fc.array(written, { minLength: 1 }),
    }),
  );
  fc.assert(
    fc.property(
      fc.array(operation, { maxLength: 8 }),
      fc.array(step, { minLength: 1, maxLength: 8 }),
      (before, steps) => {
        const { place, record } = begin(before);
        for (const each of steps) take(place, record, each);
        const left = Object.entries(treeOf(place.workspace)).filter(([, is]) =>
          is.includes('theirs'),
        );
        const changes = record.history.since(1);
        const theirs = left.filter(([path]) => {
          const { state } = stateNow(join(place.workspace, path), place.settings.maxFileBytes);
          return !isOwnDoing(changes, path, state);
        });
        restore(place, planUndo(place.workspace, changes).steps);
        expect(treeOf(place.workspace)).toMatchObject(Object.fromEntries(theirs));
      },
    ),
    { numRuns: 120 },
  );
});

/** The session itself put it there as it is, by a move or a change of mode, and undoing takes that back. */
const isOwnDoing = (changes: readonly NetChange[], path: string, now: FileState): boolean =>
  changes.some((change) => change.path === path && sameState(change.after, now));
