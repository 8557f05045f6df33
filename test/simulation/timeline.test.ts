import { expect, test } from 'vitest';
import { Chance } from '../../simulation/chance.js';
import { SimulatedProcess } from '../../simulation/process/simulated-process.js';
import { Timeline } from '../../simulation/timeline.js';

const timeline = (name = 'a seed'): Timeline => new Timeline(new Chance(name));

test('things happen in the order of their times, and what is ready is done in between', async () => {
  const line = timeline();
  const seen: string[] = [];
  const note = (what: string) => (): void => {
    void Promise.resolve().then(() => seen.push(`after ${what}`));
    seen.push(what);
  };
  line.after(20, note('late'), line);
  line.after(10, note('early'), line);
  while (await line.step());
  expect(seen).toEqual(['early', 'after early', 'late', 'after late']);
});

test('things of the same moment happen in an order that the seed decides', async () => {
  const orderOf = async (name: string): Promise<string> => {
    const line = timeline(name);
    const seen: number[] = [];
    for (let i = 0; i < 6; i += 1) line.after(0, () => seen.push(i), line);
    while (await line.step());
    return seen.join('');
  };
  expect(await orderOf('one')).toBe(await orderOf('one'));
  expect(await orderOf('one')).not.toBe(await orderOf('two'));
});

test('a process that has died waits for nothing any more', async () => {
  const line = timeline();
  const process = new SimulatedProcess(line);
  const seen: string[] = [];
  process.setTimeout(() => seen.push('its timer'), 10);
  void process.wait(20).then(() => seen.push('its wait'));
  line.after(30, () => seen.push('another'), line);
  process.die();
  process.setTimeout(() => seen.push('set after its death'), 10);
  while (await line.step());
  expect(seen).toEqual(['another']);
  await process.death;
});

test('chance repeats itself, and its streams do not disturb each other', () => {
  const draw = (chance: Chance): number[] =>
    Array.from({ length: 5 }, () => chance.between(1, 100));
  const [one, two] = [new Chance('7'), new Chance('7')];
  draw(one.stream('else'));
  expect(draw(one.stream('here'))).toEqual(draw(two.stream('here')));
  expect(draw(new Chance('7'))).not.toEqual(draw(new Chance('8')));
});
