/** What must hold of every session that was rebuilt from its journal, wherever the journal ends. */
import { expect } from 'vitest';
import { fold, repairs, type Recovered } from '../../actors/recovery.js';
import type { Conversation } from '../../actors/conversation.js';
import type { CallId } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import { hasSideEffects } from '../../messages/tools.js';

/** As a resume does it: the repairs are rows like all others. */
export function recover(rows: readonly JournalRow[]): { recovered: Recovered; all: JournalRow[] } {
  const recovered = fold(rows);
  const all = [...rows];
  for (const fact of repairs(recovered, () => '')) {
    const row = { ...fact, seq: all.length + 1, ts: recovered.lastTs };
    recovered.apply(row);
    all.push(row);
  }
  return { recovered, all };
}

/** Every call is followed by its result, in call order; only the newest answer may have open calls. */
export function expectWellFormed({ messages, openCalls }: Conversation): void {
  const expected: CallId[] = [];
  for (const message of messages) {
    if (message.role === 'tool') expect(message.callId).toBe(expected.shift());
    else expect(expected).toEqual([]);
    if (message.role === 'assistant') expected.push(...message.calls.map(({ id }) => id));
  }
  const open = openCalls.map(({ id }) => id);
  if (expected.length === 0) expect(open).toEqual([]);
  else expect(expected).toEqual(expect.arrayContaining(open));
}

/** Calls that may have changed something are never left to be run again. */
export function expectNothingRepeats(recovered: Recovered, rows: readonly JournalRow[]): void {
  const begun = new Set(
    rows.flatMap((row) =>
      row.kind === 'tool.intent' && hasSideEffects(row.body.effect) ? [row.body.callId] : [],
    ),
  );
  for (const { conversation } of recovered.agents.values())
    for (const { id } of conversation.openCalls) expect(begun.has(id)).toBe(false);
}

/** What a person said is in the conversation or waits to be, once. */
export function expectWordsKept(recovered: Recovered, rows: readonly JournalRow[]): void {
  const said = rows.flatMap((row) =>
    row.kind === 'user.action' && row.body.action.do === 'send' ? [row.body.action.text] : [],
  );
  const { messages, said: waiting } = recovered.main.conversation;
  const read = messages.flatMap((m) =>
    m.role === 'user' && (m.origin === 'steer' || m.origin === 'queue') ? [m.text] : [],
  );
  const kept = [...read, ...waiting.map(({ text }) => text)];
  expect([...kept].sort()).toEqual([...said].sort());
}

export function expectSound(rows: readonly JournalRow[]): void {
  const { recovered, all } = recover(rows);
  for (const { conversation } of recovered.agents.values()) expectWellFormed(conversation);
  expectNothingRepeats(recovered, all);
  expectWordsKept(recovered, all);
  // What was repaired needs no second repair: a crash during the recovery costs nothing.
  expect(repairs(fold(all), () => '')).toEqual([]);
}
