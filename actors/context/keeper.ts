/**
 * Keeps one agent's conversation within its model's window. Before each request it measures, and takes one
 * step of the ladder after another until there is room or nothing more can be done; each step is a row of the
 * journal before the request that follows from it. It never separates a call from its result, and never
 * drops a person's words.
 */
import type { ContextUse, MaskedResult } from '../../messages/context.js';
import type { Message } from '../../messages/conversation.js';
import { factOf, type JournalFact } from '../../messages/journal.js';
import type { ModelUse, Usage } from '../../messages/model.js';
import { addBulk, beyond, bulkOf, bulkOfTools, type Bulk } from './estimator.js';
import { candidates, KEEP_RESULTS, MIN_AGE_ROUNDS, type Candidate } from './masking.js';
import {
  ACT_AT,
  COOLDOWN_ROUNDS,
  FORCE_ABOVE,
  isForced,
  MASK_ALL_TOKENS,
  nextRung,
  shareOf,
  TARGET,
  type Fullness,
  type Rung,
} from './ladder.js';
import { condenseAll } from './condensing.js';
import type { KeeperPorts, KeeperSetup } from './keeper-frame.js';
import { recordOf } from './record.js';
import { RunningBulk } from './running-bulk.js';
import { keptWords, summaryMessages } from './summary.js';
import { zonesOf } from './zones.js';

/** A change of the window's use that is worth telling. */
const TOLD_SHARE = 0.01;

/** Of the window, when the server has refused a request for its length. */
const OVERFLOW_SHARE = 0.5;

const NEVER = new AbortController().signal;

/** What a step is taken for. */
interface Climb {
  readonly round: number;
  readonly room: number;
  readonly signal: AbortSignal;
  /** It cannot wait: the next request would hardly fit. */
  readonly forced: boolean;
}

export class ContextKeeper {
  readonly #ports: KeeperPorts;
  #setup: KeeperSetup;
  readonly #tools: Bulk;
  readonly #running = new RunningBulk();
  /** What was used when room was last made: what was added since is the most that can be masked. */
  #usedThen = 0;
  /** The round in which results to mask were last looked for. */
  #lookedIn = -MIN_AGE_ROUNDS;
  /** What was told of it last. */
  #toldUse = -Infinity;
  #sent: Bulk | null = null;
  /** The newest request that the server counted. */
  #reported: { revision: number; bulk: Bulk; tokens: number } | null = null;
  #caches = false;
  #lastSummary = -COOLDOWN_ROUNDS;
  #failures = 0;
  /** What hooks want the next summary to keep. */
  #note: string | null = null;

  constructor(ports: KeeperPorts, setup: KeeperSetup) {
    this.#ports = ports;
    this.#setup = setup;
    this.#tools = bulkOfTools(setup.tools);
  }

  /** Tokens that messages may take. */
  get room(): number {
    const { windowTokens, replyTokens, estimator } = this.#setup;
    return windowTokens - replyTokens - estimator.tokens(this.#tools);
  }

  get used(): number {
    const { conversation, estimator } = this.#setup;
    return estimator.tokens(this.#running.of(conversation));
  }

  /** Another model is asked from here on: what was counted and cached was the old one's. */
  useModel(model: string): void {
    this.#setup = { ...this.#setup, ...this.#ports.frameOf?.(model) };
    this.#sent = null;
    this.#reported = null;
    this.#caches = false;
    this.#toldUse = -Infinity;
  }

  /** Makes room for the request of this round. */
  async fit(round: number, signal = NEVER): Promise<void> {
    await this.#climb(round, this.room, signal);
    const { used, room } = this;
    if (Math.abs(used - this.#toldUse) < room * TOLD_SHARE) return;
    this.#toldUse = used;
    await this.#ports.tell({
      type: 'context.measured',
      agent: this.#setup.agent,
      round,
      use: this.use(),
      at: this.#ports.now(),
    });
  }

  /** The server refused the request for its length: its window is smaller than was thought. False: there is nothing to give up. */
  async shrink(round: number): Promise<boolean> {
    const before = this.used;
    await this.#climb(round, Math.floor(Math.min(this.room, before) * OVERFLOW_SHARE), NEVER);
    return this.used < before;
  }

  /** What a share of the window is used for. */
  use(): ContextUse {
    const { conversation, estimator } = this.#setup;
    const { messages } = conversation;
    const { pinned, summary, middle } = zonesOf(messages);
    const tokens = (from: number, to: number) => estimator.of(messages.slice(from, to));
    const others = {
      pinned: tokens(0, pinned),
      summary: tokens(pinned, summary),
      recent: tokens(middle, messages.length),
    };
    // By far the longest, and measured already as part of the whole.
    const rest = this.used - others.pinned - others.summary - others.recent;
    return { window: this.room, ...others, middle: Math.max(0, rest) };
  }

  /** The messages of the request about to be sent: these, and what is said only this once. */
  sending(round: number, messages: readonly Message[]): readonly Message[] {
    const { agent } = this.#setup;
    const notice = this.#ports.notice(agent, { round, share: this.used / this.room });
    const last = messages.at(-1);
    const bulk = this.#bulkOf(messages);
    if (notice === null || last === undefined) {
      this.#sent = addBulk([this.#tools, bulk]);
      return messages;
    }
    const noticed = { ...last, text: `${last.text}\n\n${notice}` };
    this.#sent = addBulk([this.#tools, beyond(bulk, bulkOf(last)), bulkOf(noticed)]);
    return [...messages.slice(0, -1), noticed];
  }

  #bulkOf(messages: readonly Message[]): Bulk {
    const { conversation } = this.#setup;
    const isWhole = messages === conversation.messages;
    return isWhole ? this.#running.of(conversation) : addBulk(messages.map(bulkOf));
  }

  /** What the server counted for it. */
  counted({ promptTokens, cachedTokens, estimated }: Usage): void {
    if (cachedTokens > 0) this.#caches = true;
    const { conversation, estimator } = this.#setup;
    const { revision } = conversation;
    const bulk = this.#sent;
    this.#sent = null;
    // What was set aside for a request is nothing that anybody has counted.
    if (bulk === null || promptTokens <= 0 || estimated === true) return;
    const before = this.#reported;
    this.#reported = { revision, bulk, tokens: promptTokens };
    // What one round added is of few kinds, and says more about them than the mixture of all rounds.
    if (before?.revision === revision)
      estimator.learn(beyond(bulk, before.bulk), promptTokens - before.tokens);
    else estimator.learn(bulk, promptTokens);
  }

  async #climb(round: number, room: number, signal: AbortSignal): Promise<void> {
    const taken = new Set<Rung>();
    for (;;) {
      const found = this.#mayMask(round, room) ? this.#candidates(round, KEEP_RESULTS) : [];
      const fullness = this.#fullness(round, room, found, taken);
      const rung = nextRung(fullness);
      if (rung === null || signal.aborted) return;
      if (taken.size === 0) {
        const verdict = await this.#ports.beforeCompact(this.#setup.agent, round);
        if (verdict.leave && shareOf(fullness) <= FORCE_ABOVE) return;
        this.#note = verdict.note;
      }
      taken.add(rung);
      await this.#take(rung, { round, room, signal, forced: isForced(fullness) }, found);
    }
  }

  /** Looking for what may be masked takes as long as the conversation is, so it is done where it can matter. */
  #mayMask(round: number, room: number): boolean {
    const { used } = this;
    if (used >= room * ACT_AT) return true;
    const isMuch = this.#caches && used - this.#usedThen >= MASK_ALL_TOKENS;
    if (!isMuch || round - this.#lookedIn < MIN_AGE_ROUNDS) return false;
    this.#lookedIn = round;
    return true;
  }

  #candidates(round: number, keepResults: number): Candidate[] {
    const { messages } = this.#setup.conversation;
    const minAge = keepResults === 0 ? 1 : MIN_AGE_ROUNDS;
    return candidates(messages, { round, before: messages.length, minAge, keepResults });
  }

  #fullness(
    round: number,
    room: number,
    found: readonly Candidate[],
    taken: ReadonlySet<Rung>,
  ): Fullness {
    const { messages } = this.#setup.conversation;
    const { summary, middle } = zonesOf(messages);
    return {
      usedTokens: this.used,
      windowTokens: room,
      maskableTokens: this.#freed(found),
      caches: this.#caches,
      middle: middle - summary,
      roundsSinceSummary: round - this.#lastSummary,
      summaryFailures: this.#failures,
      taken,
    };
  }

  #freed(found: readonly Candidate[]): number {
    const { conversation, estimator } = this.#setup;
    return found.reduce((total, { index, standIn }) => {
      const message = conversation.messages[index];
      if (message === undefined) return total;
      return total + estimator.tokens(bulkOf(message)) - estimator.tokens(bulkOf(standIn));
    }, 0);
  }

  async #take(rung: Rung, climb: Climb, found: Candidate[]): Promise<void> {
    const { round, room } = climb;
    switch (rung) {
      case 'mask-all':
        return this.#mask(round, found);
      case 'mask':
        return this.#mask(round, this.#enough(found, room));
      case 'summarise':
        return this.#summarise(climb);
      case 'free':
        return this.#mask(round, this.#enough(this.#candidates(round, 0), room));
      case 'restart':
        return this.#restart(round);
    }
  }

  /** The oldest of them that bring the conversation down to the target. */
  #enough(found: readonly Candidate[], room: number): Candidate[] {
    let tokens = this.used;
    const chosen: Candidate[] = [];
    for (const candidate of found) {
      if (tokens <= room * TARGET) break;
      tokens -= this.#freed([candidate]);
      chosen.push(candidate);
    }
    return chosen;
  }

  async #mask(round: number, found: readonly Candidate[]): Promise<void> {
    if (found.length === 0) return;
    const masks: readonly MaskedResult[] = found.map(({ callId, text }) => ({ callId, text }));
    await this.#change(round, 'mask', masks.length, {}, () => {
      this.#setup.conversation.mask(masks);
      return factOf('context.masked', this.#setup.agent, round, { masks });
    });
  }

  async #summarise({ round, signal, forced }: Climb): Promise<void> {
    const { conversation, agent } = this.#setup;
    const { pinned, middle } = zonesOf(conversation.messages);
    const source = conversation.messages.slice(pinned, middle);
    const made = await condenseAll(this.#ports, source, {
      record: recordOf(source, conversation.record),
      about: { agent, round, note: this.#note, signal },
      maxChars: this.#setup.summaryChars,
      byPiece: forced,
    });
    const { record, used } = made;
    if (!made.ok && !signal.aborted) this.#failures += 1;
    if (signal.aborted && used.length === 0) return;
    if (signal.aborted || !made.ok)
      return this.#giveBack(round, made.ok ? 'it was stopped' : made.fault, used);
    this.#failures = 0;
    this.#lastSummary = round;
    const messages = summaryMessages(made.summary, record, keptWords(source));
    const spent = used.length === 0 ? {} : { modelUse: used };
    const { segments } = made;
    const body = { first: pinned, count: source.length, messages, record, segments, ...spent };
    await this.#change(round, 'summary', source.length, spent, () => {
      conversation.condense(body);
      return factOf('context.summarised', agent, round, body);
    });
  }

  /** A summary that is not used was paid for all the same. */
  async #giveBack(round: number, reason: string, used: readonly ModelUse[]): Promise<void> {
    const { agent } = this.#setup;
    const body = { reason, ...(used.length === 0 ? {} : { modelUse: used }) };
    this.#ports.record(factOf('context.refused', agent, round, body));
    const at = this.#ports.now();
    await this.#ports.tell({ type: 'context.refused', agent, round, ...body, at });
  }

  async #restart(round: number): Promise<void> {
    const { conversation, agent, estimator } = this.#setup;
    const before = conversation.messages;
    const record = recordOf(before, conversation.record);
    const messages = this.#ports.beginning(agent, keptWords(before));
    if (estimator.of(messages) >= this.used) return;
    this.#failures = 0;
    await this.#change(round, 'restart', before.length, {}, () => {
      conversation.beginAnew({ messages, record });
      return factOf('context.restarted', agent, round, { messages, record });
    });
  }

  async #change(
    round: number,
    step: 'mask' | 'summary' | 'restart',
    count: number,
    spent: { modelUse?: readonly ModelUse[] },
    apply: () => JournalFact,
  ): Promise<void> {
    const tokensBefore = this.used;
    this.#ports.record(apply());
    this.#usedThen = this.used;
    this.#toldUse = -Infinity;
    const { agent } = this.#setup;
    await this.#ports.tell({
      type: 'context.compacted',
      agent,
      round,
      step,
      count,
      tokensBefore,
      tokensAfter: this.used,
      ...spent,
      at: this.#ports.now(),
    });
  }
}
