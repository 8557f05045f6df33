/**
 * What a model is sent is what the journal says, byte for byte: so a resume sends the same, and between two
 * compactions each request begins with the one before it. A server that has refused a history gets it
 * repaired from then on.
 */
import { Recovered } from '../../actors/recovery.js';
import { repairHistory } from '../../actors/repair-history.js';
import type { Message } from '../../messages/conversation.js';
import type { AgentId } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import { conversationIn } from '../notices.js';
import { wantsSummary } from '../world/summaries.js';
import type { Moment } from '../happenings.js';
import type { Invariant, Of } from './invariant.js';

export const sameBytes: Invariant = {
  name: 'same-bytes',
  promise:
    'A request is what the journal says of the conversation, and begins with the one before.',
  watch: (report) => {
    const watch = new ByteWatch(report);
    return { see: (moment) => watch.see(moment) };
  },
};

interface Sent {
  readonly messages: readonly Message[];
  readonly tools: string;
  readonly isRepaired: boolean;
}

class ByteWatch {
  readonly #report: (what: string) => void;
  #journal = new Recovered();
  #seq = 0;
  /** The newest request of each agent since its conversation was last changed. */
  readonly #sent = new Map<AgentId, Sent>();

  constructor(report: (what: string) => void) {
    this.#report = report;
  }

  see({ what, at }: Moment): void {
    switch (what.type) {
      case 'life.began':
        this.#journal = new Recovered();
        this.#seq = 0;
        for (const row of what.rows) this.#read(row);
        // That a server wants it repaired is found out anew.
        for (const [agent, { isRepaired }] of this.#sent) if (isRepaired) this.#sent.delete(agent);
        return;
      case 'rows.handed':
        for (const fact of what.facts) this.#read({ ...fact, seq: this.#seq + 1, ts: at });
        return;
      case 'request.sent':
        if (!wantsSummary(what.request)) this.#check(what);
        return;
      default:
    }
  }

  #read(row: JournalRow): void {
    this.#seq += 1;
    this.#journal.apply(row);
    if (row.kind.startsWith('context.')) this.#sent.delete(row.agent);
  }

  #check({ request }: Of<'request.sent'>): void {
    const { agent } = request;
    const messages = conversationIn(request.messages);
    const kept = this.#journal.agents.get(agent)?.conversation.messages ?? [];
    const isRepaired = !areSame(messages, kept);
    if (isRepaired && !areSame(messages, repairHistory(kept)))
      this.#report(`${agent} is sent other messages than are on record`);
    const tools = JSON.stringify(request.tools);
    const before = this.#sent.get(agent);
    this.#sent.set(agent, { messages, tools, isRepaired });
    if (before === undefined) return;
    if (before.tools !== tools) this.#report(`${agent} is offered other tools than before`);
    if (!beginsWith(messages, before.messages))
      this.#report(`the request of ${agent} does not begin with the one before it`);
  }
}

/** Messages never change, and most of them are in many requests. */
const texts = new WeakMap<Message, string>();

function textOf(message: Message): string {
  const known = texts.get(message);
  if (known !== undefined) return known;
  const text = JSON.stringify(message);
  texts.set(message, text);
  return text;
}

const areSame = (one: readonly Message[], other: readonly Message[]): boolean =>
  one.length === other.length && isPrefix(one, other);

const isPrefix = (one: readonly Message[], other: readonly Message[]): boolean =>
  one.every((message, i) => {
    const same = other[i];
    return same === message || (same !== undefined && textOf(same) === textOf(message));
  });

/** Or would, had the server not refused it as it was. */
const beginsWith = (next: readonly Message[], before: readonly Message[]): boolean =>
  isPrefix(before, next) || areJoined(next, before);

/** Repaired, messages of one role in a row are one: the last one may have grown. */
function areJoined(next: readonly Message[], before: readonly Message[]): boolean {
  const repaired = repairHistory(before);
  const last = repaired.at(-1);
  const grown = next[repaired.length - 1];
  return (
    isPrefix(repaired.slice(0, -1), next) &&
    last !== undefined &&
    grown?.role === last.role &&
    grown.text.startsWith(last.text)
  );
}
