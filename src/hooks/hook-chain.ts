/**
 * The hooks of one event, in the order in which they are configured: the first that blocks ends the chain,
 * a changed input is what the next one sees. Every run is reported. Never rejects.
 */
import type { Time } from '../../actors/ports.js';
import type { HookCommand, HookEvent, HookFact, HookSettings } from '../../messages/hooks.js';
import { canBlock } from '../../messages/hooks.js';
import type { AgentId, SessionId } from '../../messages/ids.js';
import { beginning } from './beginning.js';
import type { HookAnswer } from './hook-output.js';
import { MAX_SAID_CHARS, runHook, type HookEnd, type HookShell } from './run-hook.js';

/** Of the object that hooks find on stdin; counts up when a field is changed, not when one is added. */
const SCHEMA_VERSION = 1;

export interface HookParts {
  readonly settings: HookSettings;
  readonly session: SessionId;
  readonly workspace: string;
  readonly shell: HookShell;
  /** Takes secrets out of what hooks say. */
  readonly redact: (text: string) => string;
  readonly time: Time;
  /** Must not throw. */
  readonly tell: (fact: HookFact) => void;
}

export interface HookMoment {
  readonly event: HookEvent;
  readonly agent: AgentId;
  readonly round: number;
  /** The tool, for the events of one. */
  readonly tool?: string;
  /** The call, where it is about one. */
  readonly callId?: string;
  /** The fields of this event alone. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** What all hooks together may take, whatever is configured. */
  readonly limitMs?: number;
}

export type ChainEnd =
  | { readonly kind: 'block'; readonly reason: string }
  /** `input` undefined: nobody changed it. `message` null: nobody said anything. */
  | { readonly kind: 'go'; readonly input: unknown; readonly message: string | null };

export class HookChain {
  readonly #parts: HookParts;

  constructor(parts: HookParts) {
    this.#parts = parts;
  }

  hasHooks(event: HookEvent): boolean {
    return this.#parts.settings[event] !== undefined;
  }

  /** Once the signal aborts, what runs is ended and the rest is passed over. */
  async run(moment: HookMoment, signal: AbortSignal): Promise<ChainEnd> {
    const messages: string[] = [];
    const until = this.#parts.time.now() + (moment.limitMs ?? Infinity);
    let input: unknown;
    for (const hook of this.#hooksFor(moment)) {
      const timeoutMs = Math.min(hook.timeoutMs, until - this.#parts.time.now());
      const end = await this.#runOne({ ...hook, timeoutMs }, moment, input, signal);
      if (end.kind === 'block') return end;
      if (end.kind !== 'go') continue;
      input = end.input ?? input;
      if (end.message !== null) messages.push(end.message);
    }
    return { kind: 'go', input, message: messages.length === 0 ? null : messages.join('\n') };
  }

  #hooksFor({ event, tool }: HookMoment): readonly HookCommand[] {
    const hooks = this.#parts.settings[event] ?? [];
    return tool === undefined ? hooks : hooks.filter(({ matcher }) => matches(matcher, tool));
  }

  async #runOne(
    hook: HookCommand,
    moment: HookMoment,
    input: unknown,
    signal: AbortSignal,
  ): Promise<HookEnd> {
    const { shell, redact, time } = this.#parts;
    const { event, callId = event } = moment;
    const startedAt = time.now();
    const payload = this.#payload(moment, input);
    const variables = variablesOf(moment, this.#parts.workspace);
    const ran = await runHook(shell, { event, hook, id: callId, variables, payload, signal });
    const end = withText(ran, (text) => beginning(redact(text), MAX_SAID_CHARS));
    this.#report(moment, end, time.now() - startedAt);
    if (end.kind !== 'failed' || hook.onError !== 'block' || !canBlock(event)) return end;
    return { kind: 'block', reason: `the hook itself failed: ${end.why}` };
  }

  #payload(
    { event, agent, round, tool, callId, fields }: HookMoment,
    input: unknown,
  ): HookRunInput {
    const { session, workspace } = this.#parts;
    return {
      schema_version: SCHEMA_VERSION,
      event,
      session,
      agent,
      round,
      workspace,
      ...(tool === undefined ? {} : { tool }),
      ...(callId === undefined ? {} : { call_id: callId }),
      ...fields,
      ...(input === undefined ? {} : { input }),
    };
  }

  #report({ event, agent, round, tool = '' }: HookMoment, end: HookEnd, ms: number): void {
    if (end.kind === 'stopped') return;
    const { tell, time } = this.#parts;
    const about = {
      type: 'hook.ran',
      agent,
      round,
      event,
      about: tool,
      ms,
      at: time.now(),
    } as const;
    tell({ ...about, ...verdictOf(end) });
  }
}

function verdictOf(end: HookAnswer): Pick<HookFact, 'verdict' | 'text'> {
  switch (end.kind) {
    case 'go':
      return { verdict: 'passed', text: end.message ?? '' };
    case 'block':
      return { verdict: 'blocked', text: end.reason };
    case 'failed':
      return { verdict: 'failed', text: end.why };
  }
}

type HookRunInput = Readonly<Record<string, unknown>>;

/** `*` and nothing at all mean every tool, as they do elsewhere. */
const matches = (matcher: string | null, tool: string): boolean =>
  matcher === null || matcher === '*' || new RegExp(`^(?:${matcher})$`).test(tool);

/** What a short hook needs, without reading its stdin. */
const variablesOf = (
  { event, agent, round, tool }: HookMoment,
  workspace: string,
): Readonly<Record<string, string>> => ({
  OURO_HOOK_EVENT: event,
  OURO_HOOK_AGENT: agent,
  OURO_HOOK_ROUND: String(round),
  OURO_HOOK_WORKSPACE: workspace,
  ...(tool === undefined ? {} : { OURO_HOOK_TOOL: tool }),
});

function withText(end: HookEnd, change: (text: string) => string): HookEnd {
  switch (end.kind) {
    case 'go':
      return end.message === null ? end : { ...end, message: change(end.message) };
    case 'block':
      return { ...end, reason: change(end.reason) };
    case 'failed':
      return { ...end, why: change(end.why) };
    case 'stopped':
      return end;
  }
}
