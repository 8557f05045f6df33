/**
 * What was open at a moment of a session: where each agent stood, which calls ran, which questions waited. A
 * fold over the rows up to that moment. Pure.
 */
import type { AgentPhase, CycleEnd } from '../../messages/agents.js';
import type { ToolCall } from '../../messages/conversation.js';
import { MAIN_AGENT, type AgentId, type CallId } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import type { Question } from '../../messages/questions.js';
import type { OpenCall } from '../../messages/snapshot.js';

/** The part of an agent's view that its rows tell. */
export interface AgentStanding {
  readonly phase: AgentPhase;
  readonly model: string | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly contextTokens: number;
  readonly end: CycleEnd['status'] | null;
}

const NOTHING_YET: AgentStanding = {
  phase: 'gated',
  model: null,
  promptTokens: 0,
  completionTokens: 0,
  contextTokens: 0,
  end: null,
};

/** Arguments are shown on one line. */
const SUMMARY_CHARS = 200;

export class Standing {
  readonly #agents = new Map<AgentId, AgentStanding>();
  readonly #asked = new Map<CallId, ToolCall>();
  readonly #calls = new Map<CallId, OpenCall>();
  readonly #questions = new Map<string, Question>();

  of(agent: AgentId): AgentStanding {
    return this.#agents.get(agent) ?? NOTHING_YET;
  }

  get calls(): readonly OpenCall[] {
    return [...this.#calls.values()];
  }

  get questions(): readonly Question[] {
    return [...this.#questions.values()];
  }

  apply(row: JournalRow): void {
    switch (row.kind) {
      case 'model.intent':
        this.#change(row.agent, { phase: 'asking', model: row.body.model });
        return;
      case 'model.reset':
        this.#change(row.agent, { phase: 'backing-off' });
        return;
      case 'model.outcome':
        this.#answer(row);
        return;
      case 'message.added':
        if (row.body.message.role !== 'assistant') return;
        for (const call of row.body.message.calls) this.#asked.set(call.id, call);
        return;
      case 'tool.intent':
      case 'tool.outcome':
        this.#call(row);
        return;
      case 'question.opened':
        this.#questions.set(row.body.question.id, row.body.question);
        return;
      case 'question.answered':
        this.#questions.delete(row.body.id);
        return;
      case 'agent.ended':
        this.#change(row.body.agent, { phase: 'done', end: row.body.end.status });
        return;
      case 'session.resumed':
        // What ran has ended with its process; a call that runs again says so itself.
        this.#calls.clear();
        this.#change(MAIN_AGENT, { phase: 'gated', end: null });
        return;
      case 'session.ended':
        this.#calls.clear();
        this.#change(
          MAIN_AGENT,
          row.body.status === 'done' ? { phase: 'done', end: 'done' } : { phase: 'gated' },
        );
        return;
      default:
    }
  }

  #change(agent: AgentId, change: Partial<AgentStanding>): void {
    this.#agents.set(agent, { ...this.of(agent), ...change });
  }

  #answer({ agent, body }: Extract<JournalRow, { kind: 'model.outcome' }>): void {
    if (body.status !== 'ok') {
      this.#change(agent, { phase: 'gated' });
      return;
    }
    const { promptTokens, completionTokens } = this.of(agent);
    this.#change(agent, {
      phase: 'gated',
      model: body.model,
      promptTokens: promptTokens + (body.usage?.promptTokens ?? 0),
      completionTokens: completionTokens + (body.usage?.completionTokens ?? 0),
      contextTokens: body.usage?.promptTokens ?? 0,
    });
  }

  #call(row: Extract<JournalRow, { kind: 'tool.intent' | 'tool.outcome' }>): void {
    const { agent, ts: startedAt } = row;
    const { callId, name } = row.body;
    if (row.kind === 'tool.intent') {
      const args = JSON.stringify(this.#asked.get(callId)?.args ?? {});
      const summary = `${name} ${args}`.slice(0, SUMMARY_CHARS);
      this.#calls.set(callId, { callId, agent, name, summary, startedAt });
    } else this.#calls.delete(callId);
    const isActing = this.calls.some((call) => call.agent === agent);
    if (this.of(agent).end === null) this.#change(agent, { phase: isActing ? 'acting' : 'gated' });
  }
}
