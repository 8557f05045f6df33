/** What a person said and was told is recorded enters the conversation once, or still waits to. */
import { fold } from '../../actors/recovery.js';
import type { JournalRow } from '../../messages/journal.js';
import type { Invariant } from './invariant.js';

export const personsWords: Invariant = {
  name: 'persons-words',
  promise: 'What a person said is neither lost nor said twice.',
  watch: (report) => {
    const said = new Set<string>();
    return {
      see: ({ what }) => {
        if (what.type === 'person.acted' && what.action.do === 'send' && what.result?.ok === true) {
          said.add(what.action.text);
        }
      },
      end: (rows) => {
        const counts = timesIn(rows);
        for (const text of said) if (!counts.has(text)) report(`"${text}" is lost`);
        for (const [text, times] of counts)
          if (times > 1) report(`"${text}" is there ${times} times`);
      },
    };
  },
};

function timesIn(rows: readonly JournalRow[]): ReadonlyMap<string, number> {
  const { messages, said } = fold(rows).main.conversation;
  const texts = [
    ...messages.flatMap((message) =>
      message.role === 'user' && (message.origin === 'steer' || message.origin === 'queue')
        ? [message.text]
        : [],
    ),
    ...said.map(({ text }) => text),
  ];
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
