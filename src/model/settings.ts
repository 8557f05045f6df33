/** What may be set for one model server. What is left out is the server's to decide, or the protocol's. */

export type ProtocolName = 'openai' | 'openrouter' | 'ollama' | 'anthropic';

export interface EndpointSettings {
  /** Left out: told from the address. */
  readonly protocol?: ProtocolName;
  /** Sent with every request; the key is none of them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Calls that the model writes as text into its answer count as calls. */
  readonly textCalls?: boolean;
  /** Ollama: tokens of the window, and how long the model stays loaded, such as `30m`. */
  readonly numCtx?: number;
  readonly keepAlive?: string;
  /** Ollama: whether a model that can reason does. */
  readonly think?: boolean;
  /** Anthropic: tokens that the model may reason before it answers. */
  readonly thinkingTokens?: number;
  /** OpenRouter: its plugins by name, and how much the model reasons. */
  readonly plugins?: readonly string[];
  readonly reasoningEffort?: string;
  readonly reasoningTokens?: number;
  readonly hideReasoning?: boolean;
}
