/** Holds: reasons not to go on. An agent goes on when no session hold and no hold of its own is set. */
import type { AgentId, CallId, Millis } from './ids.js';

export type HoldKind =
  | 'user'
  | 'timer'
  | 'event'
  | 'budget'
  | 'rate-limit'
  | 'endpoint'
  | 'auth'
  | 'disk'
  | 'stuck'
  | 'question'
  | 'recovery';

export type HoldScope = 'session' | AgentId;

export interface Hold {
  readonly kind: HoldKind;
  readonly scope: HoldScope;
  readonly since: Millis;
  /** When it lifts itself; null: it waits for somebody. */
  readonly until: Millis | null;
  readonly reason: string;
  /** The command that lifts it, runnable as printed. */
  readonly release: string;
  /** The sleeping call it stands for; it ends with that call. */
  readonly call?: CallId;
  /** The limit of the session's budget that was reached; left out: none was, or nobody wrote it down. */
  readonly limit?: 'usd' | 'tokens' | 'time';
}

/** Set because the model server could not or would not answer; a server that answers again lifts them. */
export const OUTAGE_HOLDS: readonly HoldKind[] = ['endpoint', 'auth', 'rate-limit'];

/** Two holds of the same kind and scope are one: the later replaces the earlier. */
export const holdKey = (hold: Pick<Hold, 'kind' | 'scope'>): string => `${hold.kind}/${hold.scope}`;

export type PauseCommand =
  | { readonly type: 'pause.hold'; readonly hold: Hold; readonly action?: string }
  /** Timers stood still: what is due is lifted, the rest is timed anew. */
  | { readonly type: 'pause.woke'; readonly action?: string }
  /** Lifts the named kinds in a scope. */
  | {
      readonly type: 'pause.lift';
      readonly kinds: readonly HoldKind[];
      readonly scope: HoldScope;
      readonly action?: string;
    };

/** Said after every command, also one that changed nothing: the gates already agree with `holds`. */
export interface PauseFact {
  readonly type: 'pause.changed';
  readonly holds: readonly Hold[];
  /** The person's action that this answers. */
  readonly action?: string;
  readonly at: Millis;
}

/** Something other than a person wants a hold set. */
export interface HoldWanted {
  readonly type: 'hold.wanted';
  readonly hold: Hold;
}

/** The model server was asked whether it answers. */
export interface EndpointProbed {
  readonly type: 'endpoint.probed';
  readonly ok: boolean;
  /** The person's action that made it be asked; null: it was asked because it was time to. */
  readonly action: string | null;
}

/** What the disk did not take was tried again. */
export interface DiskProbed {
  readonly type: 'disk.probed';
  readonly ok: boolean;
  /** The person's action that made it be tried; null: it was tried because it was time to. */
  readonly action: string | null;
}

/** Whether an agent may go on under these holds. */
export const isOpen = (holds: readonly Hold[], agent: AgentId): boolean =>
  !holds.some((hold) => hold.scope === 'session' || hold.scope === agent);
