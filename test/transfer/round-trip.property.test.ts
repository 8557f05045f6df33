import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '../../messages/conversation.js';
import { checkpointExport, withRows } from '../../src/session-export.js';
import { history } from './generated-history.js';
import {
  bringIn,
  conversationIn,
  exported,
  newDesk,
  sessionOf,
  type Desk,
} from './transfer-desk.js';

/** Each import makes a database. */
const RUNS = { numRuns: 25 };

/** Who said a thing and why is not told in every format. */
const told = (messages: readonly Message[]): readonly object[] =>
  messages.map((message) =>
    message.role === 'user' ? { role: 'user', text: message.text } : message,
  );

const unreasoned = (messages: readonly object[]): readonly object[] =>
  messages.map((message) => ({ ...message, reasoning: null }));

/** Every call is answered right behind its answer, in call order, once. */
function requireValid(messages: readonly Message[]): void {
  const open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') expect(message.callId).toBe(open.shift());
    else expect(open).toEqual([]);
    if (message.role === 'assistant') open.push(...message.calls.map(({ id }) => id));
  }
  expect(open).toEqual([]);
}

async function checkpointOf(
  desk: Desk,
  id: Awaited<ReturnType<typeof sessionOf>>,
): Promise<string> {
  const { name, bytes } = await withRows(desk.home, id, (rows) =>
    checkpointExport(rows, desk.home, id),
  );
  const file = join(desk.folder, name);
  writeFileSync(file, bytes);
  return file;
}

test('exported, imported and exported again, a session has the same lines and the same conversation', async () => {
  const desk = newDesk();
  await fc.assert(
    fc.asyncProperty(history, async (facts) => {
      const id = await sessionOf(desk, facts);
      const lines = await exported(desk, id);
      const file = join(desk.folder, `${id}.jsonl`);
      writeFileSync(file, `${lines.join('\n')}\n`);
      const { spec, notices } = await bringIn(desk, file);
      expect(notices).toEqual([]);
      expect(await exported(desk, spec.id)).toEqual(lines);
      const conversation = await conversationIn(desk, spec.id);
      requireValid(conversation);
      expect(told(conversation)).toEqual(told(await conversationIn(desk, id)));
    }),
    RUNS,
  );
});

test('through a checkpoint, a session keeps its conversation', async () => {
  const desk = newDesk();
  await fc.assert(
    fc.asyncProperty(history, async (facts) => {
      const id = await sessionOf(desk, facts);
      const { spec } = await bringIn(desk, await checkpointOf(desk, id));
      const conversation = await conversationIn(desk, spec.id);
      requireValid(conversation);
      const before = await conversationIn(desk, id);
      expect(unreasoned(told(conversation))).toEqual(unreasoned(told(before)));
    }),
    RUNS,
  );
});

/** Lines as badly linked as lines can be. */
const anyLine = fc.record(
  {
    type: fc.constantFrom('user', 'assistant', 'system', 'progress', 'tombstone'),
    uuid: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    parentUuid: fc.constantFrom(null, 'a', 'b', 'c', 'd', 'e', 'f', 'missing'),
    deletedUuid: fc.constantFrom('a', 'b', 'c'),
    isSidechain: fc.boolean(),
    timestamp: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 'never'),
    message: fc.record({
      id: fc.constantFrom('m', 'n'),
      content: fc.oneof(
        fc.constantFrom('words', '', 7),
        fc.array(
          fc.record({
            type: fc.constantFrom('text', 'tool_use', 'tool_result', 'thinking'),
            text: fc.constant('said'),
            id: fc.constantFrom('1', '2', ''),
            name: fc.constantFrom('Read', 'Bash'),
            tool_use_id: fc.constantFrom('1', '2', ''),
            content: fc.constantFrom('result', ''),
          }),
          { maxLength: 3 },
        ),
      ),
    }),
  },
  { requiredKeys: ['type'] },
);

test('whatever the lines say, what is imported is a valid conversation, and every line comes back', async () => {
  const desk = newDesk();
  const first = { type: 'user', uuid: '0', parentUuid: null, message: { content: 'Begin.' } };
  await fc.assert(
    fc.asyncProperty(fc.array(anyLine, { maxLength: 12 }), async (lines) => {
      const texts = [first, ...lines].map((line) => JSON.stringify(line));
      const file = join(desk.folder, 'any.jsonl');
      writeFileSync(file, `${texts.join('\n')}\n`);
      const imported = await bringIn(desk, file).catch((error: unknown) => {
        expect(String(error)).toContain('holds no conversation');
        return null;
      });
      if (imported === null) return;
      requireValid(await conversationIn(desk, imported.spec.id));
      expect(await exported(desk, imported.spec.id)).toEqual(texts);
    }),
    { numRuns: 60 },
  );
});
