import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLine } from '../../../tui/text/json.js';

test('any value is one line that reads back the same, and holds nothing a terminal obeys', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = jsonLine({ text: `${text}\x9b2J\u202e\u2028\n` });
      expect(JSON.parse(line)).toEqual({ text: `${text}\x9b2J\u202e\u2028\n` });
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
    }),
  );
});
