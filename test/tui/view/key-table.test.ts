import { expect, test } from 'vitest';
import { helpPanel } from '../../../tui/panels/help-panel.js';
import { BINDINGS, bindingOf } from '../../../tui/view/key-table.js';
import { plainText } from '../plain-text.js';

test('no key means two things', () => {
  const keys = BINDINGS.flatMap((binding) => binding.keys);
  expect(new Set(keys).size).toBe(keys.length);
});

test('every key does what its row says', () => {
  for (const binding of BINDINGS)
    for (const key of binding.keys) expect(bindingOf(key)).toBe(binding);
});

test('the help names every key, and what a second Ctrl+C does', () => {
  const text = plainText(helpPanel('run', { width: 100, height: 50 }));
  for (const { shown, help } of BINDINGS) {
    expect(text).toContain(shown);
    expect(text).toContain(help);
  }
  expect(text).toContain('stops the session and exits with 130');
  expect(plainText(helpPanel('attach', { width: 100, height: 50 }))).toContain(
    'again within 2 s leaves',
  );
});
