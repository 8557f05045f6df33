/** Drives a rehearsal server the way a harness does: keeps the conversation and answers every call. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadScenario } from '../../src/rehearsal/load-scenario.js';
import type { LoadedScenario } from '../../src/rehearsal/load-scenario.js';
import type { Scenario } from '../../src/rehearsal/scenario.js';
import { startRehearsal } from '../../src/rehearsal/server.js';
import type { RehearsalOptions, RehearsalServer } from '../../src/rehearsal/server.js';

export interface WireCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}
export type WireMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: WireCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

export interface WireReply {
  model: string;
  choices: {
    message: { role: 'assistant'; content: string | null; tool_calls?: WireCall[] };
    finish_reason: string;
  }[];
  usage: { prompt_tokens: number; completion_tokens: number };
}
export interface WireError {
  error: { message: string; type: string; code: string | number | null };
}

/** Loads it from a file, as everybody does. */
export function loadToml(toml: string): LoadedScenario {
  const folder = mkdtempSync(join(tmpdir(), 'ouro-scenario-'));
  try {
    const file = join(folder, 'scenario.toml');
    writeFileSync(file, toml);
    return loadScenario(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The head that every scenario needs, and these turns. */
export function turns(toml: string): Scenario {
  const loaded = loadToml(`name = "test"\ngoal = "Try it."\n${toml}`);
  if (!loaded.ok) throw new Error(loaded.message);
  return loaded.scenario;
}

export async function serverFor(
  scenario: Scenario,
  options: Omit<RehearsalOptions, 'scenario'> = {},
): Promise<RehearsalServer> {
  const server = await startRehearsal({ scenario, ...options });
  onTestFinished(() => server.close());
  return server;
}

export function post(
  server: RehearsalServer,
  messages: readonly WireMessage[],
  options: { agent?: string; stream?: boolean; key?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(options.agent === undefined ? {} : { 'x-ouro-agent': options.agent }),
      ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
    },
    body: JSON.stringify({ model: server.model, messages, stream: options.stream ?? false }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

export const user = (content: string): WireMessage => ({ role: 'user', content });

/** One agent's conversation; `server` may be replaced by another one in the middle. */
export class Conversation {
  readonly messages: WireMessage[] = [];
  server: RehearsalServer;
  readonly agent: string;

  constructor(server: RehearsalServer, goal = 'Try it.', agent = 'main') {
    this.server = server;
    this.agent = agent;
    this.messages.push({ role: 'system', content: 'You are an agent.' }, user(goal));
  }

  async ask(): Promise<WireMessage & { role: 'assistant' }> {
    const response = await post(this.server, this.messages, { agent: this.agent });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    const reply = (await response.json()) as WireReply;
    const message = reply.choices[0]?.message;
    if (message === undefined) throw new Error('no choice');
    this.messages.push(message);
    return message;
  }

  answer(call: WireCall, content: string): void {
    this.messages.push({ role: 'tool', tool_call_id: call.id, content });
  }

  /** Asks, and gives every call the same result; returns what was called. */
  async round(result = 'ok'): Promise<string> {
    const said = await this.ask();
    for (const call of said.tool_calls ?? []) this.answer(call, result);
    const calls = (said.tool_calls ?? []).map((call) => call.function.arguments);
    return calls.join(' ') || (said.content ?? '');
  }
}
