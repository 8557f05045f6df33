import fc from 'fast-check';
import { expect, test } from 'vitest';
import { line, span, type Box, type Rect } from '../../../tui/picture.js';
import { Canvas, FILLER, type CellRow } from '../../../tui/terminal/canvas.js';
import { displayWidth } from '../../../tui/text/sanitise.js';

const rect = (left: number, top: number, width: number, height: number): Rect => ({
  left,
  top,
  width,
  height,
});

const box = (place: Rect, ...texts: string[]): Box => ({
  rect: place,
  frame: null,
  lines: texts.map((text) => line(text)),
});

const painted = (width: number, height: number, boxes: readonly Box[]): Canvas => {
  const canvas = new Canvas({ width, height }, true);
  canvas.paint(boxes);
  return canvas;
};

test('a frame has a label, and what is too long is cut at its edge', () => {
  const framed: Box = {
    rect: rect(0, 0, 10, 3),
    frame: { label: 'Log', focused: true },
    lines: [line('longer than it')],
  };
  const canvas = painted(10, 3, [framed]);
  expect([0, 1, 2].map((row) => canvas.text(row))).toEqual([
    '┌─ Log ──┐',
    '│longer t│',
    '└────────┘',
  ]);
});

test('a wide character that would be cut in half is left out', () => {
  expect(painted(5, 1, [box(rect(0, 0, 5, 1), '漢漢漢')]).text(0)).toBe('漢漢 ');
});

test('a box over half of a wide character leaves no half behind', () => {
  const below = box(rect(0, 0, 6, 1), '漢漢漢');
  expect(painted(6, 1, [below, box(rect(1, 0, 2, 1), 'ab')]).text(0)).toBe(' ab 漢');
});

test('control characters become spaces', () => {
  expect(painted(4, 1, [box(rect(0, 0, 4, 1), 'a\x1bb\x9b')]).text(0)).toBe('a b ');
});

test('only cells that differ are copied, and only their rows are marked', () => {
  const rows: CellRow[] = [0, 1].map(() => Array.from({ length: 3 }, () => [0, '?']));
  const canvas = new Canvas({ width: 3, height: 2 }, true);
  canvas.paint([box(rect(0, 0, 3, 2), 'abc', 'def')]);
  canvas.copyTo(rows);
  for (const row of rows) row.dirty = false;
  canvas.paint([box(rect(0, 0, 3, 2), 'abc', 'dEf')]);
  canvas.copyTo(rows);
  expect(rows.map((row) => row.dirty)).toEqual([false, true]);
  expect(rows[1]?.map(([, character]) => character).join('')).toBe('dEf');
});

test('without colours only bold and inverse are left', () => {
  const styled: Box = {
    rect: rect(0, 0, 2, 1),
    frame: null,
    lines: [[span('a', { fg: 'red' }), span('b', { fg: 'red', bold: true })]],
  };
  const attributes = (colour: boolean): number[] => {
    const canvas = new Canvas({ width: 2, height: 1 }, colour);
    canvas.paint([styled]);
    const row: CellRow = [
      [0, ''],
      [0, ''],
    ];
    canvas.copyTo([row]);
    return row.map(([attribute]) => attribute);
  };
  const [plain = 0, bold = 0] = attributes(false);
  expect(bold - plain).toBe(1 << 18);
  expect(attributes(true)[0]).not.toBe(plain);
});

const anyBox = fc
  .record({
    left: fc.integer({ min: -3, max: 25 }),
    top: fc.integer({ min: -2, max: 8 }),
    width: fc.integer({ min: 0, max: 25 }),
    height: fc.integer({ min: 0, max: 8 }),
    framed: fc.boolean(),
    texts: fc.array(fc.string({ unit: fc.constantFrom('a', ' ', '漢', '𠀀', '\x1b', '│', '﹏') })),
  })
  .map(({ left, top, width, height, framed, texts }): Box => ({
    rect: rect(left, top, width, height),
    frame: framed ? { label: texts[0] ?? '', focused: false } : null,
    lines: texts.map((text) => line(text)),
  }));

test('whatever is painted, every row is exactly as wide as the terminal', () => {
  fc.assert(
    fc.property(fc.array(anyBox, { maxLength: 5 }), (boxes) => {
      const canvas = painted(20, 6, boxes);
      for (let row = 0; row < 6; row += 1) expect(displayWidth(canvas.text(row))).toBe(20);
    }),
  );
});

test('a filler only ever follows a wide character', () => {
  fc.assert(
    fc.property(fc.array(anyBox, { maxLength: 5 }), (boxes) => {
      const rows: CellRow[] = Array.from({ length: 6 }, () =>
        Array.from({ length: 20 }, () => [0, '?']),
      );
      painted(20, 6, boxes).copyTo(rows);
      for (const row of rows) {
        row.forEach(([, character], x) => {
          const wide = displayWidth(row[x - 1]?.[1] ?? '') === 2;
          expect(character === FILLER).toBe(wide);
        });
      }
    }),
  );
});
