/**
 * What the journal knows of calls that were asleep when the process ended: since when, and whether a person
 * had woken them already. A call that was cut off runs again; with this it goes on where it was.
 */
import { MAIN_AGENT, type AgentId, type CallId, type Millis } from '../messages/ids.js';
import type { JournalRow } from '../messages/journal.js';

export interface EarlierWait {
  readonly since: Millis;
  /** A person resumed after it began. */
  readonly resumed: boolean;
  /** A person said something to its agent after it began. */
  readonly spokenTo: boolean;
}

interface OpenWait extends EarlierWait {
  readonly agent: AgentId;
}

const SLEEP = 'sleep';

export type WaitsState = readonly (readonly [CallId, OpenWait])[];

export class RecoveredWaits {
  readonly #open: Map<CallId, OpenWait>;

  constructor(state: WaitsState = []) {
    this.#open = new Map(state);
  }

  get state(): WaitsState {
    return [...this.#open];
  }

  /** Null: it had not begun, or it has ended. */
  of(callId: CallId): EarlierWait | null {
    return this.#open.get(callId) ?? null;
  }

  apply(row: JournalRow): void {
    if (row.kind === 'tool.intent' && row.body.name === SLEEP) {
      const { callId } = row.body;
      // Its second beginning, after a crash, is not when it began.
      if (this.#open.has(callId)) return;
      const { agent, ts: since } = row;
      this.#open.set(callId, { agent, since, resumed: false, spokenTo: false });
    } else if (row.kind === 'hold.set') {
      // To the millisecond; the intent was written a moment before.
      const { call, since } = row.body.hold;
      if (call !== undefined) this.#mark((wait, id) => (id === call ? { ...wait, since } : wait));
    } else if (row.kind === 'tool.outcome') {
      this.#open.delete(row.body.callId);
    } else if (row.kind === 'user.action') {
      const { action } = row.body;
      if (action.do === 'resume') this.#mark((wait) => ({ ...wait, resumed: true }));
      if (action.do !== 'send' || action.mode !== 'steer') return;
      this.#mark((wait) => (wait.agent === MAIN_AGENT ? { ...wait, spokenTo: true } : wait));
    }
  }

  #mark(change: (wait: OpenWait, callId: CallId) => OpenWait): void {
    for (const [callId, wait] of this.#open) this.#open.set(callId, change(wait, callId));
  }
}
