/**
 * A journal as a transcript of Claude Code: one line for each block, in one chain by parentUuid, sub-agents
 * as sidechains. The same journal gives the same lines whenever it is asked. Where a conversation was
 * rewritten, a boundary cuts the chain, and what is left of it follows, so that who reads the transcript as
 * Claude Code does gets what the model was shown.
 */
import type { AssistantMessage, Message } from '../../messages/conversation.js';
import { MAIN_AGENT, type AgentId, type CallId, type Millis } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import type { Usage } from '../../messages/model.js';
import { ConversationFold, type Answered, type Said } from './conversation-fold.js';
import { uuidOf } from './name-uuid.js';
import { isJson, type Json } from './refused.js';

export interface ClaudeOptions {
  /** What every line calls its session. */
  readonly session: string;
  /** Ids of lines are told apart by it: no two sessions of ours have the same. */
  readonly space: string;
  readonly workspace: string;
  readonly name: string;
  readonly version: string;
  /** Lines that are there already tell what comes before the first end; these are chained to their last. */
  readonly after: { readonly leaf: string | null } | null;
}

export interface ClaudeLine {
  readonly agent: AgentId;
  readonly line: Json;
}

export function* claudeLines(
  rows: Iterable<JournalRow>,
  options: ClaudeOptions,
): Generator<ClaudeLine> {
  const fold = new ConversationFold();
  const chains = new Map<AgentId, Chain>();
  const delegated = new Map<CallId, AgentId>();
  const chainOf = (agent: AgentId): Chain => {
    const known = chains.get(agent) ?? new Chain(agent, options, delegated);
    chains.set(agent, known);
    return known;
  };
  let isTold = options.after !== null;
  for (const row of rows) {
    if (row.kind === 'agent.spawned') delegated.set(row.body.callId, row.body.agent);
    for (const told of fold.take(row)) {
      if (isTold) continue;
      yield* told.type === 'said'
        ? chainOf(told.agent).say(told.said)
        : chainOf(told.agent).beginAnew(told.seq, told.ts, told.said);
    }
    if (row.kind === 'session.ended') isTold = false;
  }
  for (const told of fold.end()) {
    if (!isTold && told.type === 'said') yield* chainOf(told.agent).say(told.said);
  }
  const last = chains.get(MAIN_AGENT)?.last ?? null;
  if (last !== null) {
    const line = { type: 'summary', summary: options.name, leafUuid: last };
    yield { agent: MAIN_AGENT, line };
  }
}

/** The lines of one agent, each naming the one before it. */
class Chain {
  readonly #agent: AgentId;
  readonly #options: ClaudeOptions;
  readonly #delegated: ReadonlyMap<CallId, AgentId>;
  /** The line in which each call of the newest answer stands. */
  readonly #callLines = new Map<CallId, string>();
  last: string | null = null;
  /** What the newest answer's request and reply came to. */
  #tokens = 0;
  #parent: string | null;

  constructor(agent: AgentId, options: ClaudeOptions, delegated: ReadonlyMap<CallId, AgentId>) {
    this.#agent = agent;
    this.#options = options;
    this.#delegated = delegated;
    this.#parent = agent === MAIN_AGENT ? (options.after?.leaf ?? null) : null;
  }

  /** `again`: told once more, behind a boundary. */
  *say(said: Said, again = ''): Generator<ClaudeLine> {
    const { message, seq } = said;
    switch (message.role) {
      case 'system':
        return;
      case 'user': {
        const isMeta = message.origin === 'harness' ? { isMeta: true } : {};
        yield this.#line(`${seq}${again}`, said.ts, 'user', {
          ...isMeta,
          message: { role: 'user', content: message.text },
        });
        return;
      }
      case 'assistant':
        yield* this.#answer(message, said, again);
        return;
      case 'tool':
        yield this.#result(message, said, again);
    }
  }

  *beginAnew(seq: number, ts: Millis, all: readonly Said[]): Generator<ClaudeLine> {
    const before = this.#parent;
    this.#parent = null;
    const name = `${seq}.boundary`;
    yield this.#line(name, ts, 'system', {
      logicalParentUuid: before,
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      level: 'info',
      isMeta: false,
      compactMetadata: { trigger: 'auto', preTokens: this.#tokens },
    });
    const shown = all.filter(({ message }) => message.role !== 'system');
    const found = shown.findIndex(({ message }) => message.role !== 'user');
    const words = found === -1 ? shown.length : found;
    const content = shown.slice(0, words).map(({ message }) => message.text);
    yield this.#line(`${seq}.summary`, ts, 'user', {
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
      message: { role: 'user', content: content.join('\n\n') },
    });
    for (const [at, said] of shown.slice(words).entries()) yield* this.say(said, `@${seq}.${at}`);
  }

  *#answer(message: AssistantMessage, said: Said, again: string): Generator<ClaudeLine> {
    const { seq, ts, answered } = said;
    const { space } = this.#options;
    const blocks = blocksOf(message);
    const usage = answered?.usage ?? null;
    if (usage !== null) this.#tokens = usage.promptTokens + usage.completionTokens;
    this.#callLines.clear();
    for (const [at, block] of blocks.entries()) {
      const made = this.#line(`${seq}.${at}${again}`, ts, 'assistant', {
        requestId: `req_${uuidOf(space, `${seq}.request`).replaceAll('-', '')}`,
        message: {
          id: `msg_${uuidOf(space, `${seq}.message`).replaceAll('-', '')}`,
          type: 'message',
          role: 'assistant',
          model: answered?.model ?? 'unknown',
          content: [block],
          stop_reason: stopReason(answered, message),
          stop_sequence: null,
          ...(usage === null ? {} : { usage: usageOf(usage) }),
        },
      });
      if (block['type'] === 'tool_use')
        this.#callLines.set(block['id'] as CallId, this.#parent ?? '');
      yield made;
    }
  }

  #result(message: Extract<Message, { role: 'tool' }>, said: Said, again: string): ClaudeLine {
    const { callId, text } = message;
    const { text: _, ...outcome } = said.outcome ?? { status: 'ok', text };
    const agentId = this.#delegated.get(callId);
    const isError = outcome.status !== 'ok';
    const asked = this.#callLines.get(callId);
    return this.#line(`${said.seq}${again}`, said.ts, 'user', {
      message: {
        role: 'user',
        content: [{ tool_use_id: callId, type: 'tool_result', content: text, is_error: isError }],
      },
      toolUseResult: { ...outcome, ...(agentId === undefined ? {} : { agentId }) },
      ...(asked === undefined ? {} : { sourceToolAssistantUUID: asked }),
    });
  }

  #line(name: string, ts: Millis, type: 'user' | 'assistant' | 'system', more: Json): ClaudeLine {
    const { session, space, workspace, version } = this.#options;
    const isSub = this.#agent !== MAIN_AGENT;
    const uuid = uuidOf(space, `${this.#agent}.${name}`);
    const line = {
      parentUuid: this.#parent,
      isSidechain: isSub,
      userType: 'external',
      cwd: workspace,
      sessionId: session,
      version,
      gitBranch: '',
      ...(isSub ? { agentId: this.#agent } : {}),
      type,
      ...more,
      uuid,
      timestamp: new Date(ts).toISOString(),
    };
    this.#parent = uuid;
    this.last = uuid;
    return { agent: this.#agent, line };
  }
}

/** Thinking as its server signed it, where it did. */
function blocksOf({ text, reasoning, calls, carried }: AssistantMessage): readonly Json[] {
  const signed = carried?.protocol === 'anthropic' ? carried.blocks : null;
  const unsigned =
    reasoning === undefined || reasoning === ''
      ? []
      : [{ type: 'thinking', thinking: reasoning, signature: '' }];
  const said = text === '' && calls.length > 0 ? [] : [{ type: 'text', text }];
  const asked = calls.map(({ id, name, args }) => ({
    type: 'tool_use',
    id,
    name,
    input: isJson(args) ? args : {},
  }));
  return [...(signed ?? unsigned), ...said, ...asked];
}

function stopReason(answered: Answered | null, { calls }: AssistantMessage): string {
  if (answered?.finish === 'length') return 'max_tokens';
  if (answered?.finish === 'filtered') return 'refusal';
  return calls.length > 0 ? 'tool_use' : 'end_turn';
}

const usageOf = (usage: Usage): Json => {
  const written = usage.cacheWriteTokens ?? 0;
  return {
    input_tokens: Math.max(0, usage.promptTokens - usage.cachedTokens - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: usage.cachedTokens,
    output_tokens: usage.completionTokens,
  };
};
