import { expect, test } from 'vitest';
import { EMPTY_RECORD as record } from '../actors/context/record.js';
import { fold } from '../actors/recovery.js';
import type { Message } from '../messages/conversation.js';
import type { AgentId, CallId } from '../messages/ids.js';
import { factOf, type JournalFact } from '../messages/journal.js';
import { framedGuide } from '../messages/tool-guides.js';
import { SessionGuides } from '../src/session-guides.js';
import { rowsOf } from './support/journal-rows.js';
import { MAIN, okOutcome } from './support/session-samples.js';

const SUB = 'sub-1' as AgentId;
const guideOf = (tool: string): string => `how to ${tool}`;
const GUIDE = framedGuide('shell', 'how to shell');

const result = (text: string, agent = MAIN, name = 'shell'): JournalFact => {
  const outcome = { ...okOutcome(), text };
  return factOf('tool.outcome', agent, 1, { callId: `${agent}_1_1` as CallId, name, outcome });
};

/** As in a session that goes on after these rows. */
const after = (...facts: JournalFact[]): SessionGuides =>
  new SessionGuides(fold(rowsOf(...facts)).guides, guideOf);

test('a guide is given once to each agent', () => {
  const guides = new SessionGuides(null, guideOf);
  expect([1, 2].map(() => guides.first(MAIN, 'shell'))).toEqual([GUIDE, null]);
  expect(guides.first(SUB, 'shell')).toBe(GUIDE);
  expect(guides.first(MAIN, 'grep')).toBe(framedGuide('grep', 'how to grep'));
});

test('what was given is known after a resume, also when it was masked since', () => {
  const masks = [{ callId: 'main_1_1' as CallId, text: '[Cleared: shell()]' }];
  const guides = after(
    result(`[exit: 0]\n${GUIDE}`),
    factOf('context.masked', MAIN, 5, { masks }),
    result('[exit: 0]\nmore'),
  );
  expect(guides.first(MAIN, 'shell')).toBeNull();
  expect(guides.first(SUB, 'shell')).toBe(GUIDE);
});

test('a conversation that begins anew is given it again, in the same run and after a resume', () => {
  const anew = factOf('context.restarted', MAIN, 9, { messages: [], record });
  expect(after(result(`[exit: 0]\n${GUIDE}`), anew).first(MAIN, 'shell')).toBe(GUIDE);

  const shown: Message = { role: 'tool', callId: 'main_1_1' as CallId, name: 'shell', text: GUIDE };
  const undone = factOf('context.undone', MAIN, 9, { of: 2, messages: [shown], record });
  expect(after(result(GUIDE), anew, undone).first(MAIN, 'shell'), 'it is back').toBeNull();

  const guides = after(result(`[exit: 0]\n${GUIDE}`));
  const compacted = { type: 'context.compacted', agent: MAIN, round: 9, count: 1, at: 0 } as const;
  const tokens = { tokensBefore: 2, tokensAfter: 1 };
  guides.hear({ ...compacted, ...tokens, step: 'summary' });
  expect(guides.first(MAIN, 'shell')).toBeNull();
  guides.hear({ ...compacted, ...tokens, step: 'restart' });
  expect([1, 2].map(() => guides.first(MAIN, 'shell'))).toEqual([GUIDE, null]);
});

test('text that only looks like the guide of another tool is no guide of this one', () => {
  expect(after(result(`1\n${GUIDE}`, MAIN, 'read_file')).first(MAIN, 'read_file')).not.toBeNull();
  expect(after(result(`${GUIDE}\n[exit: 0]`)).first(MAIN, 'shell')).toBe(GUIDE);
});

test('of a long guide the beginning is given, in a whole frame', () => {
  const guides = new SessionGuides(null, () => 'x'.repeat(5_000));
  expect(guides.first(MAIN, 'shell')).toBe(framedGuide('shell', 'x'.repeat(1_500)));
});

test('a tool without a guide has none, and a file is asked for once', () => {
  const asked: string[] = [];
  const guides = new SessionGuides(null, (tool) => {
    asked.push(tool);
    return null;
  });
  expect([MAIN, SUB].map((agent) => guides.first(agent, 'think'))).toEqual([null, null]);
  expect(asked).toEqual(['think']);
});
