import { expect, test } from 'vitest';
import { RecoveredGuides } from '../../actors/recovered-guides.js';
import { factOf, type JournalFact } from '../../messages/journal.js';
import { framedGuide } from '../../messages/tool-guides.js';
import { rowsOf } from '../support/journal-rows.js';
import { callId, MAIN, okOutcome, SUB } from '../support/session-samples.js';

const used = (agent: typeof MAIN, tool: string, text = `done\n${framedGuide(tool, 'how')}`) =>
  factOf('tool.outcome', agent, 1, {
    callId: callId('main_1_1'),
    name: tool,
    outcome: okOutcome(text),
  });
const ended = factOf('agent.ended', SUB, 1, {
  ...{ agent: SUB, rounds: 1, end: { status: 'done', text: '', denied: [] } },
});
const restarted = factOf('context.restarted', MAIN, 2, {
  messages: [],
  record: { changed: [], read: [], commands: [], errors: [], answers: [] },
});

function after(...facts: readonly JournalFact[]): RecoveredGuides {
  const guides = new RecoveredGuides();
  for (const row of rowsOf(...facts)) guides.apply(row);
  return guides;
}

test('a guide counts as given to the agent that had it, and written down it is the same', () => {
  const guides = after(used(MAIN, 'shell'), used(MAIN, 'grep', 'no guide'), used(SUB, 'grep'));
  for (const each of [guides, new RecoveredGuides(guides.state)]) {
    expect([...each.of(MAIN)]).toEqual(['shell']);
    expect([...each.of(SUB)]).toEqual(['grep']);
  }
});

test('a conversation that began anew has none, and of an agent that ended nothing is kept', () => {
  expect(after(used(MAIN, 'shell'), used(SUB, 'grep'), restarted, ended).state).toEqual([]);
});
