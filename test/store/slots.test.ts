import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endpointSlots } from '../../src/store/layout.js';
import { Slots } from '../../src/store/slots.js';
import { ended, prints, startFixture, tempFolder } from './temp-folder.js';

const filesIn = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => join(folder, `slot-${n}.lock`));

test('as many places are given as there are, and each again when it is given back', () => {
  const slots = new Slots(filesIn(tempFolder(), 2));
  const [first, second] = [slots.tryTake(), slots.tryTake()];
  expect(slots.tryTake()).toBeNull();
  first?.();
  // A second time gives nothing back that is not one's own.
  first?.();
  const third = slots.tryTake();
  expect(third).not.toBeNull();
  expect(slots.tryTake()).toBeNull();
  second?.();
  expect(slots.tryTake()).not.toBeNull();
  slots.close();
});

test('those who share the files share the places, also with another number of them', () => {
  const files = filesIn(tempFolder(), 2);
  const [one, two] = [new Slots(files.slice(0, 1)), new Slots(files)];
  const free = one.tryTake();
  expect(free).not.toBeNull();
  expect(two.tryTake()).not.toBeNull();
  expect(two.tryTake()).toBeNull();
  free?.();
  expect(two.tryTake()).not.toBeNull();
  expect(one.tryTake()).toBeNull();
  one.close();
  two.close();
});

test('a process that is killed gives its place back', async () => {
  const files = filesIn(tempFolder(), 1);
  const child = startFixture('take-slot', files);
  await prints(child, (text) => text === 'taken\n');
  const slots = new Slots(files);
  expect(slots.tryTake()).toBeNull();
  child.kill('SIGKILL');
  await ended(child);
  expect(slots.tryTake()).not.toBeNull();
  slots.close();
});

test('nothing is written into the files, and nothing is left beside them', () => {
  const folder = tempFolder();
  const slots = new Slots(filesIn(folder, 1));
  slots.tryTake()?.();
  slots.tryTake();
  expect(readdirSync(folder)).toEqual(['slot-0.lock']);
  slots.close();
});

test('where the files cannot be had nobody is limited', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'in the way'), '');
  const slots = new Slots([join(folder, 'in the way', 'slot.lock')]);
  expect(slots.tryTake()).not.toBeNull();
  expect(slots.tryTake()).not.toBeNull();
});

test('a server has one set of places, whatever path it is asked at', () => {
  const home = tempFolder();
  mkdirSync(join(home, 'locks'));
  const of = (url: string): readonly string[] => endpointSlots(home, url, 2);
  expect(of('http://127.0.0.1:11434/v1')).toEqual(of('http://127.0.0.1:11434/v1/openai'));
  expect(of('http://127.0.0.1:11434/v1')).not.toEqual(of('http://127.0.0.1:11435/v1'));
  expect(new Set(of('http://127.0.0.1:11434/v1')).size).toBe(2);
});
