import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endsWithGuide, framedGuide, withoutGuide } from '../../messages/tool-guides.js';

const lines = fc.string({ unit: 'grapheme', maxLength: 60 });

test('a guide below a result is known again, and what was above it is had back', () => {
  fc.assert(
    fc.property(lines, lines, (result, guide) => {
      const shown = `${result}\n${framedGuide('shell', guide)}`;
      expect(endsWithGuide('shell', shown)).toBe(true);
      expect(endsWithGuide('grep', shown)).toBe(false);
      expect(withoutGuide(shown)).toBe(result);
    }),
  );
});

test('a result that is nothing but a guide is empty without it', () => {
  expect(withoutGuide(framedGuide('shell', 'how'))).toBe('');
});

test.each([
  'no guide at all',
  'half of one\n</tool_guide>',
  'in a line <tool_guide name="shell">\nx\n</tool_guide>',
  '<tool_guide name="shell">\nx\n</tool_guide>\nmore',
])('%j stays as it is', (text) => {
  expect(withoutGuide(text)).toBe(text);
  expect(endsWithGuide('shell', text)).toBe(false);
});
