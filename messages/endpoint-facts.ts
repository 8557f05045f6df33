/** What was found out about a model at a server: asked of the server, or tried out. Plain data, kept as JSON. */
import type { Millis } from './ids.js';

export interface EndpointFacts {
  /** When the server was asked. */
  readonly at: Millis;
  /** Tokens of the window as the server reports it; null: it does not. */
  readonly window: number | null;
  /** Requests that it answers at once; null: it does not say. */
  readonly slots: number | null;
  /** Null: the model was never asked anything. */
  readonly trial: EndpointTrial | null;
}

/** What a model did with a few tiny requests; null: it could not be told. */
export interface EndpointTrial {
  readonly at: Millis;
  /** How it calls a tool: in the form of the protocol, as text in its answer, or not at all. */
  readonly calls: 'calls' | 'text' | 'none' | null;
  /** Whether an answer arrives in more than one piece. */
  readonly streams: boolean | null;
  /** Whether an answer that has to be JSON is. */
  readonly json: boolean | null;
}
