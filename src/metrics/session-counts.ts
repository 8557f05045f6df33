/**
 * What the metrics of a session are computed from: a fold over its journal, and sums over several. Pure; any
 * beginning of a journal gives counts too, of what had happened until then.
 */
import { resolve } from 'node:path';
import type { Message, ToolCall } from '../../messages/conversation.js';
import type { AgentId, CallId } from '../../messages/ids.js';
import type { JournalRow, RowBodies } from '../../messages/journal.js';
import type { Usage } from '../../messages/model.js';
import { ToolRounds } from './tool-rounds.js';

/** Sub-agents of one type. */
export interface Spent {
  readonly agents: number;
  readonly tokens: number;
}

export interface SessionCounts {
  /** Calls of the tools that read, search and list files, and commands that did the same. */
  readonly toolReads: number;
  readonly shellReads: number;
  readonly greps: number;
  readonly grepsForFiles: number;
  readonly writes: number;
  /** Files that were there and were changed by an agent of which nobody knows that one had read them. */
  readonly blindWrites: number;
  /** Characters of all conversations, by who wrote them. */
  readonly instructionChars: number;
  readonly wordChars: number;
  readonly answerChars: number;
  readonly resultChars: number;
  readonly results: number;
  /** Calls that memory may answer, and those that it did; 0 where most calls were of other kinds. */
  readonly cacheable: number;
  readonly cacheHits: number;
  /** Rounds of several calls, and those in which two ran at the same time. */
  readonly multiToolRounds: number;
  readonly parallelRounds: number;
  /** By type. */
  readonly subAgents: Readonly<Record<string, Spent>>;
}

const READERS: readonly string[] = ['read_file', 'grep', 'find_files', 'list_dir'];
const CACHEABLE: readonly string[] = [...READERS, 'web_search', 'web_fetch'];
const WRITERS: readonly string[] = ['write_file', 'edit_file'];

export function countSession(
  rows: Iterable<JournalRow>,
  readsFiles: (command: string) => boolean,
): SessionCounts {
  const fold = new SessionFold(readsFiles);
  for (const row of rows) fold.apply(row);
  return fold.counts();
}

class SessionFold {
  readonly #readsFiles: (command: string) => boolean;
  readonly #rounds = new ToolRounds();
  /** Calls that have no outcome yet. */
  readonly #calls = new Map<CallId, ToolCall>();
  readonly #begun = new Set<CallId>();
  /** Files whose content an agent has seen or written, by the path it gave. */
  readonly #known = new Set<string>();
  readonly #subAgents = new Map<AgentId, { readonly kind: string; tokens: number }>();
  #workspace = '/';
  #ran = 0;
  readonly #counts = { ...NOTHING };

  constructor(readsFiles: (command: string) => boolean) {
    this.#readsFiles = readsFiles;
  }

  counts(): SessionCounts {
    const subAgents: Record<string, Spent> = {};
    for (const { kind, tokens } of this.#subAgents.values()) {
      const { agents = 0, tokens: before = 0 } = subAgents[kind] ?? {};
      subAgents[kind] = { agents: agents + 1, tokens: before + tokens };
    }
    const { cacheable, cacheHits } = this.#counts;
    const readsMostly = cacheable * 2 > this.#ran;
    return {
      ...this.#counts,
      ...(readsMostly ? { cacheable, cacheHits } : { cacheable: 0, cacheHits: 0 }),
      ...this.#rounds.counts(),
      subAgents,
    };
  }

  apply(row: JournalRow): void {
    switch (row.kind) {
      case 'session.started':
        this.#workspace = row.body.spec.workspace;
        return;
      case 'session.resumed':
        // What ran when the process ended is not running any more.
        this.#rounds.cutOff();
        return;
      case 'message.added':
        this.#addMessage(row.body.message);
        return;
      case 'agent.spawned':
        this.#subAgents.set(row.body.agent, { kind: row.body.task.kind, tokens: 0 });
        return;
      case 'model.outcome':
        if (row.body.status === 'ok') this.#spend(row.agent, row.body.usage);
        return;
      case 'tool.intent':
        this.#begun.add(row.body.callId);
        this.#rounds.begin(row.agent, row.round, row.body.callId);
        return;
      case 'tool.outcome':
        this.#rounds.end(row.agent, row.round, row.body.callId);
        for (const { usage } of row.body.outcome.modelUse ?? []) this.#spend(row.agent, usage);
        this.#addOutcome(row.body);
        return;
      default:
    }
  }

  #spend(agent: AgentId, usage: Usage | null): void {
    const spender = this.#subAgents.get(agent);
    if (spender === undefined || usage === null) return;
    spender.tokens += usage.promptTokens + usage.completionTokens;
  }

  #addMessage(message: Message): void {
    const counts = this.#counts;
    switch (message.role) {
      case 'system':
        counts.instructionChars += message.text.length;
        return;
      case 'user':
        counts.wordChars += message.text.length;
        return;
      case 'assistant':
        counts.answerChars += message.text.length;
        for (const call of message.calls) {
          counts.answerChars += `${call.name}${JSON.stringify(call.args)}`.length;
          this.#calls.set(call.id, call);
        }
        return;
      case 'tool':
        return;
    }
  }

  #addOutcome({ callId, outcome }: RowBodies['tool.outcome']): void {
    const call = this.#calls.get(callId);
    const begun = this.#begun.has(callId);
    this.#calls.delete(callId);
    this.#begun.delete(callId);
    this.#counts.resultChars += outcome.text.length;
    this.#counts.results += 1;
    const ok = outcome.status === 'ok' ? outcome : null;
    // What was refused or denied has not happened.
    if (call === undefined || (!begun && ok === null)) return;
    this.#ran += 1;
    this.#countRead(call);
    if (CACHEABLE.includes(call.name)) {
      this.#counts.cacheable += 1;
      // In journals that do not say so, only what came from memory has an outcome without an intent.
      if (ok !== null && (ok.cached === true || !begun)) this.#counts.cacheHits += 1;
    }
    if (ok !== null) this.#countFile(call, ok.replaced === true);
  }

  #countRead({ name, args }: ToolCall): void {
    const counts = this.#counts;
    if (READERS.includes(name)) counts.toolReads += 1;
    if (name === 'shell' && this.#readsFiles(textIn(args, 'command'))) counts.shellReads += 1;
    if (name !== 'grep') return;
    counts.greps += 1;
    const mode = textIn(args, 'mode');
    if (mode === '' || mode === 'files') counts.grepsForFiles += 1;
  }

  #countFile({ name, args }: ToolCall, replaced: boolean): void {
    const isWrite = WRITERS.includes(name);
    if (!isWrite && name !== 'read_file') return;
    const path = resolve(this.#workspace, textIn(args, 'path'));
    const wasThere = name === 'edit_file' || replaced;
    if (isWrite) this.#counts.writes += 1;
    if (isWrite && wasThere && !this.#known.has(path)) this.#counts.blindWrites += 1;
    this.#known.add(path);
  }
}

function textIn(args: unknown, key: string): string {
  const value: unknown = (args as Readonly<Record<string, unknown>> | null)?.[key];
  return typeof value === 'string' ? value : '';
}

const NOTHING = {
  toolReads: 0,
  shellReads: 0,
  greps: 0,
  grepsForFiles: 0,
  writes: 0,
  blindWrites: 0,
  instructionChars: 0,
  wordChars: 0,
  answerChars: 0,
  resultChars: 0,
  results: 0,
  cacheable: 0,
  cacheHits: 0,
  multiToolRounds: 0,
  parallelRounds: 0,
};

/** Of several sessions together; of none when there is none. */
export function sumOf(sessions: readonly SessionCounts[]): SessionCounts {
  const sum: Record<keyof typeof NOTHING, number> = { ...NOTHING };
  const subAgents: Record<string, Spent> = {};
  for (const counts of sessions) {
    for (const key of Object.keys(NOTHING) as (keyof typeof NOTHING)[]) sum[key] += counts[key];
    for (const [kind, { agents, tokens }] of Object.entries(counts.subAgents)) {
      const before = subAgents[kind] ?? { agents: 0, tokens: 0 };
      subAgents[kind] = { agents: before.agents + agents, tokens: before.tokens + tokens };
    }
  }
  return { ...sum, subAgents };
}
