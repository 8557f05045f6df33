import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SERVED_VERBS, STABLE_VERBS } from '../../messages/control.js';
import { ROW_KINDS } from '../../messages/journal.js';
import { STREAM_TYPES } from '../../messages/result.js';

/** The first column of the table under a heading: the names that stand there in backticks. */
function namesIn(document: string, heading: string): string[] {
  const path = fileURLToPath(new URL(`../../docs/${document}`, import.meta.url));
  const lines = readFileSync(path, 'utf8').split('\n');
  const start = lines.indexOf(`## ${heading}`);
  expect(start, `docs/${document} has no heading "## ${heading}"`).toBeGreaterThanOrEqual(0);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('## '));
  return rest
    .slice(0, end === -1 ? undefined : end)
    .flatMap((line) => /^\|\s*`([^`]+)`\s*\|/.exec(line)?.[1] ?? []);
}

test('the document on the journal names every kind of row, once', () => {
  expect(namesIn('journal.md', 'Row kinds').sort()).toEqual([...ROW_KINDS].sort());
});

test('the document on the protocol names every verb, once', () => {
  const verbs = new Set([...STABLE_VERBS, ...SERVED_VERBS]);
  expect(namesIn('protocol.md', 'Verbs').sort()).toEqual([...verbs].sort());
});

test('the document on events names every type of line, once', () => {
  expect(namesIn('events.md', 'Types').sort()).toEqual([...STREAM_TYPES].sort());
});
