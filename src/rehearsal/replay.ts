/**
 * Which turns of a scenario a conversation has used up. It is worked out anew from the messages of each
 * request, so that a server that was started again goes on at the right turn; only answers that leave no
 * message behind have to be counted elsewhere.
 */
import type { ChatMessage } from './chat-request.js';
import { leavesNoMessage } from './fault.js';
import { Moment, matches } from './moment.js';
import type { Scenario, Turn } from './scenario.js';

type Answer = Extract<ChatMessage, { role: 'assistant' }>;

export interface Replayed {
  /** How often each turn was used, in the order of the scenario. */
  readonly spent: readonly number[];
  /** Where the conversation stands now. */
  readonly moment: Moment;
}

export function replay(
  scenario: Scenario,
  messages: readonly ChatMessage[],
  agent: string,
): Replayed {
  const moment = new Moment(agent);
  const spent = new Spent(scenario.turns);
  for (const message of messages) {
    if (message.role === 'assistant') spent.credit(message, moment);
    moment.advance(message);
  }
  return { spent: spent.counts, moment };
}

class Spent {
  readonly counts: number[];
  readonly #turns: readonly Turn[];
  /** Every turn before this one is used up: a long scenario is not searched from its start each time. */
  #first = 0;

  constructor(turns: readonly Turn[]) {
    this.#turns = turns;
    this.counts = turns.map(() => 0);
  }

  /** Counts the turn that gave this answer, and those that failed before it at the same place. */
  credit(answer: Answer, moment: Moment): void {
    const giver = this.#giver(answer, moment);
    if (giver === null) return;
    for (let index = this.#first; index < giver; index += 1) {
      const turn = this.#open(index);
      if (turn === null || !leavesNoMessage(turn.fault) || !matches(turn.when, moment)) continue;
      if (Number.isFinite(turn.times)) this.counts[index] = turn.times;
    }
    this.counts[giver] = (this.counts[giver] ?? 0) + 1;
    while (this.#first < this.#turns.length && this.#open(this.#first) === null) this.#first += 1;
  }

  /**
   * The first turn that matched and whose answer looks like this one. When results were shortened or the
   * client changed the text, only one of the two may hold; looking alike is then the better witness.
   */
  #giver(answer: Answer, moment: Moment): number | null {
    let alike: number | null = null;
    let matching: number | null = null;
    for (let index = this.#first; index < this.#turns.length; index += 1) {
      const turn = this.#open(index);
      if (turn === null || leavesNoMessage(turn.fault)) continue;
      const looks = looksAlike(turn, answer);
      const holds = matches(turn.when, moment);
      if (looks && holds) return index;
      if (looks) alike ??= index;
      if (holds) matching ??= index;
    }
    return alike ?? matching;
  }

  #open(index: number): Turn | null {
    const turn = this.#turns[index];
    return turn !== undefined && (this.counts[index] ?? 0) < turn.times ? turn : null;
  }
}

/** The same tools in the same order and, where it can be known beforehand, the same text. */
const looksAlike = (turn: Turn, answer: Answer): boolean =>
  turn.calls.length === answer.calls.length &&
  turn.calls.every((call, index) => call.name === answer.calls[index]?.name) &&
  (turn.text.fixed === null || turn.text.fixed.trim() === answer.text.trim());
