/** What an agent loop is told, and what it reports. */
import type { AgentId, Millis, Seq } from './ids.js';
import type { ModelError, Usage } from './model.js';

export type AgentCommand =
  /** Words from a person. `source` is the journal row that holds them, so that none is used twice. */
  | {
      readonly type: 'agent.say';
      readonly text: string;
      readonly mode: 'steer' | 'queue';
      readonly source: Seq;
    }
  /** Abort the running request; running tools finish. The turn goes on when the gate opens. */
  | { readonly type: 'agent.abortRequest' }
  /** End the turn now: the request is aborted, the calls are cancelled. */
  | { readonly type: 'agent.stop'; readonly reason: string }
  /** From its next request on. `model`: for who has `from`; `maxRounds`: it may still do, in all. */
  | {
      readonly type: 'agent.set';
      readonly model?: { readonly from: string; readonly to: string };
      readonly maxRounds?: number | null;
    };

/** Where the loop stands; the states of its machine. */
export type AgentPhase =
  | 'gated'
  | 'preparing'
  | 'asking'
  /** The request waits for a place at the model server. */
  | 'queued'
  | 'backing-off'
  | 'acting'
  | 'recording'
  | 'done'
  | 'failed';

/** How a cycle ended. */
export type CycleEnd =
  | {
      readonly status: 'done';
      readonly text: string;
      /** Tools that write or execute whose last call was denied: work that was wanted and not done. */
      readonly denied: readonly string[];
    }
  /** `submit` said that only a part was done. */
  | {
      readonly status: 'partial';
      readonly text: string;
      /** What a Stop hook still objected to, when the agent itself took it for done. */
      readonly hook?: string;
    }
  /** `submit` said that it could not go on; `denied`: because a call had been refused. */
  | {
      readonly status: 'blocked';
      readonly text: string;
      readonly denied: boolean;
      /** Why a hook let no request be sent; it was not the agent then who ended the turn. */
      readonly hook?: string;
    }
  | { readonly status: 'round-limit'; readonly limit: number; readonly text: string }
  | { readonly status: 'model-failed'; readonly error: ModelError }
  | { readonly status: 'stopped'; readonly reason: string };

export type AgentFact =
  | {
      readonly type: 'agent.status';
      readonly agent: AgentId;
      readonly phase: AgentPhase;
      readonly round: number;
      readonly at: Millis;
      /** What is being waited for, in words. */
      readonly detail?: string;
      /** When a wait ends by itself. */
      readonly until?: Millis;
    }
  | {
      readonly type: 'agent.heard';
      readonly agent: AgentId;
      readonly round: number;
      readonly text: string;
      readonly origin: string;
      readonly at: Millis;
    }
  /** A whole answer; on its way to the journal, ahead of everything that follows from it. */
  | {
      readonly type: 'agent.said';
      readonly agent: AgentId;
      readonly round: number;
      readonly text: string;
      readonly reasoning: string;
      readonly calls: readonly string[];
      readonly at: Millis;
      /** What a person should know about the answer. */
      readonly notices?: readonly string[];
    }
  /** Streamed text of a failed attempt is withdrawn. */
  | {
      readonly type: 'model.reset';
      readonly agent: AgentId;
      readonly round: number;
      readonly attempt: number;
      readonly error: ModelError;
      readonly retryInMs: number;
      readonly at: Millis;
    }
  /** Another model than the configured one is asked. */
  | {
      readonly type: 'model.routed';
      readonly agent: AgentId;
      readonly round: number;
      readonly model: string;
      readonly at: Millis;
    }
  | {
      readonly type: 'model.used';
      readonly agent: AgentId;
      readonly round: number;
      readonly model: string;
      readonly usage: Usage;
      readonly at: Millis;
    }
  | {
      readonly type: 'agent.ended';
      readonly agent: AgentId;
      readonly rounds: number;
      readonly end: CycleEnd;
      readonly at: Millis;
    };

/** Streaming text; may be dropped on the way to a slow reader, unlike facts. */
export interface AgentDelta {
  readonly type: 'agent.delta';
  readonly agent: AgentId;
  readonly round: number;
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}
