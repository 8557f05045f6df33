/** Facts for a journal to hold. Free of the test runner, because child processes use it too. */
import { MAIN_AGENT } from '../../messages/ids.js';
import type { SessionId } from '../../messages/ids.js';
import type { JournalFact } from '../../messages/journal.js';

export const SESSION = '0b5e1a52-7c1e-4d1b-9a55-3f2f6f1d9c10' as SessionId;

/** A discovery; its title is what a test recognises it by. */
export const note = (title: string, description = ''): JournalFact => ({
  kind: 'discovery.added',
  agent: MAIN_AGENT,
  round: 1,
  body: { title, description },
});

export const notes = (count: number, description = ''): JournalFact[] =>
  Array.from({ length: count }, (_, n) => note(`note ${n}`, description));

export const titleOf = (fact: JournalFact): string =>
  fact.kind === 'discovery.added' ? fact.body.title : fact.kind;
