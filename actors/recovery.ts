/**
 * Rebuilds a session from its journal: a fold over its rows, then the repairs that a crash makes
 * necessary. Pure: the same rows give the same state, to the byte. A call with side effects whose outcome
 * is missing is never run again; the model is told so.
 */
import type { ToolCall } from '../messages/conversation.js';
import { MAIN_AGENT, type AgentId, type CallId } from '../messages/ids.js';
import { factOf, sessionFact, type JournalFact, type JournalRow } from '../messages/journal.js';
import { holdKey } from '../messages/pause.js';
import { hasSideEffects, type ToolOutcome } from '../messages/tools.js';
import { Conversation } from './conversation.js';
import { RecoveredState, type Intent } from './recovered-parts.js';
import { lostSubAgents, type RecoveredAgent } from './recovered-sub-agents.js';
import { titledSpec } from './changed-settings.js';
import { applyHoldAction } from './person-holds.js';
import { afterAction } from './raised-limits.js';
import { withCall, withModelUse, withRound, withSettled, withUnanswered } from './totals.js';

type RowOf<K extends JournalRow['kind']> = Extract<JournalRow, { kind: K }>;

export class Recovered extends RecoveredState {
  get main(): RecoveredAgent {
    return this.#agent(MAIN_AGENT, null);
  }

  /** Intents whose outcome is missing. */
  get openIntents(): ReadonlyMap<CallId, Intent> {
    return this.intents;
  }

  /** How often its process has died since it last got anything done. */
  get deaths(): number {
    return this.died.count(this.#isHeld);
  }

  get #isHeld(): boolean {
    return this.holds.some(({ scope }) => scope === 'session');
  }

  /** Ids of questions without an answer. */
  get openQuestions(): ReadonlySet<string> {
    return this.questions;
  }

  #agent(id: AgentId, birth: RecoveredAgent['birth']): RecoveredAgent {
    const known = this.agents.get(id);
    if (known !== undefined) return known;
    const agent = {
      id,
      conversation: new Conversation(),
      round: 0,
      asking: false,
      end: null,
      birth,
      reported: false,
    };
    this.agents.set(id, agent);
    return agent;
  }

  apply(row: JournalRow): void {
    this.lastTs = row.ts;
    this.waits.apply(row);
    this.died.apply(row, this.#isHeld);
    this.spent.count(row);
    for (const usd of this.unclaimed.count(row)) this.totals = withUnanswered(this.totals, usd);
    this.answers.apply(row);
    this.guides.apply(row);
    switch (row.kind) {
      case 'session.started':
        this.spec = row.body.spec;
        return;
      case 'session.resumed':
        this.spec = row.body.spec;
        this.ended = null;
        return;
      case 'session.ended':
        this.ended = row.body;
        return;
      case 'session.titled':
        this.totals = withModelUse(this.totals, row.body.modelUse, this.spec);
        this.spec = this.spec && titledSpec(this.spec, row.body.title);
        return;
      case 'goal.set':
        this.goal = row.body.goal;
        return;
      case 'hold.set':
      case 'hold.lifted':
        this.#applyHold(row);
        return;
      case 'user.action':
        this.#applyAction(row);
        return;
      case 'todo.set':
        this.todos = row.body.todos;
        return;
      case 'budget.reserved':
        return;
      case 'budget.settled':
        this.totals = withSettled(this.totals, row.body);
        return;
      case 'process.started':
      case 'process.ended':
        this.#applyProcess(row);
        return;
      case 'discovery.added':
        this.discoveries.push(row.body);
        return;
      case 'question.opened':
        this.asked += 1;
        this.questions.add(row.body.question.id);
        return;
      case 'question.answered':
        this.questions.delete(row.body.id);
        this.closed.push({ id: row.body.id, status: row.body.answer.status });
        return;
      case 'files.changed':
      case 'files.undone':
        // Of the files, not of the session's state.
        return;
      case 'checkpoint':
        // Says what the rows before it say.
        return;
      case 'agent.spawned':
        this.spawned += 1;
        this.#agent(row.body.agent, row.body);
        return;
      case 'agent.ended':
        this.#agent(row.agent, null).end = row.body;
        return;
      default:
        this.#applyRound(row);
    }
  }

  #applyProcess(row: Extract<JournalRow, { kind: `process.${string}` }>): void {
    if (row.kind === 'process.ended') {
      this.background.delete(row.body.id);
      return;
    }
    const { id, callId, pid, startTime, command, keep } = row.body;
    if (startTime === null) return;
    const { agent, round, ts: startedAt } = row;
    const kept = keep === undefined ? {} : { kept: { agent, round, command, startedAt } };
    this.background.set(id, { callId, pid, startTime, ...kept });
  }

  #applyHold(row: Extract<JournalRow, { kind: 'hold.set' | 'hold.lifted' }>): void {
    const key = holdKey(row.kind === 'hold.set' ? row.body.hold : row.body);
    const others = this.holds.filter((hold) => holdKey(hold) !== key);
    this.holds = row.kind === 'hold.set' ? [...others, row.body.hold] : others;
  }

  #applyAction(row: Extract<JournalRow, { kind: 'user.action' }>): void {
    const { action } = row.body;
    if (action.do === 'send') {
      this.main.conversation.hear({ text: action.text, mode: action.mode, source: row.seq });
    }
    this.holds = applyHoldAction(this.holds, action, row.ts, this.spec);
    this.spec = afterAction(this.spec, action);
  }

  #applyRound(
    row: Extract<
      JournalRow,
      { kind: `message.${string}` | `model.${string}` | `tool.${string}` | `context.${string}` }
    >,
  ): void {
    const agent = this.#agent(row.agent, null);
    if (row.kind !== 'model.reset') agent.round = Math.max(agent.round, row.round);
    switch (row.kind) {
      case 'message.added':
        this.#addMessage(agent, row);
        return;
      case 'model.intent':
        agent.asking = true;
        return;
      case 'model.outcome':
        agent.asking = false;
        if (row.body.status === 'ok')
          this.totals = withRound(this.totals, row.body.usage, this.spec);
        // The round was not used: its number is free again.
        if (row.body.status !== 'ok') agent.round = Math.max(0, row.round - 1);
        return;
      case 'model.reset':
        return;
      case 'tool.intent': {
        const { callId, name, effect } = row.body;
        this.intents.set(callId, { agent: row.agent, round: row.round, name, effect });
        return;
      }
      case 'tool.started':
        this.processes.set(row.body.callId, row.body);
        return;
      case 'tool.outcome':
        this.#addOutcome(agent, row);
        return;
      case 'context.masked':
        agent.conversation.mask(row.body.masks, row.seq);
        return;
      case 'context.summarised':
        agent.conversation.condense(row.body, row.seq);
        this.totals = withModelUse(this.totals, row.body.modelUse, this.spec);
        return;
      case 'context.refused':
        this.totals = withModelUse(this.totals, row.body.modelUse, this.spec);
        return;
      case 'context.restarted':
      case 'context.undone':
        agent.conversation.beginAnew(row.body, row.seq);
        return;
    }
  }

  #addMessage({ conversation }: RecoveredAgent, { body, seq }: RowOf<'message.added'>): void {
    conversation.add(body.message, seq);
    if (body.source !== undefined) conversation.forgetSaid(body.source);
    if (body.report !== undefined) this.#agent(body.report, null).reported = true;
  }

  #addOutcome({ conversation }: RecoveredAgent, { body, seq }: RowOf<'tool.outcome'>): void {
    this.intents.delete(body.callId);
    this.processes.delete(body.callId);
    conversation.addResult(body.callId, body.outcome, seq);
    this.totals = withCall(this.totals, body.outcome, this.spec);
  }
}

export function fold(rows: Iterable<JournalRow>): Recovered {
  const recovered = new Recovered();
  for (const row of rows) recovered.apply(row);
  return recovered;
}

/**
 * The rows that must be written before the session goes on: outcomes for what a crash cut off. Read-only
 * calls get none, they simply run again; so do calls that had not begun.
 * `captured`: what is known of a call's output up to the crash; empty when nothing is.
 */
export function repairs(recovered: Recovered, captured: (callId: CallId) => string): JournalFact[] {
  const facts: JournalFact[] = [];
  // The calls that asked run again, and ask again where nobody has answered yet.
  for (const id of recovered.openQuestions) {
    const answer = recovered.answers.ofQuestion(id) ?? { status: 'withdrawn' };
    facts.push(sessionFact('question.answered', { id, answer }));
  }
  for (const { kind, scope, call } of recovered.holds) {
    if (kind === 'question' || call !== undefined)
      facts.push(sessionFact('hold.lifted', { kind, scope }));
  }
  for (const agent of recovered.agents.values()) {
    if (agent.asking)
      facts.push(factOf('model.outcome', agent.id, agent.round, { status: 'lost' }));
  }
  facts.push(...lostSubAgents(recovered.agents));
  for (const { agent, id, model, usd, tokens } of recovered.spent.open.values()) {
    facts.push(factOf('budget.settled', agent, 0, { id, model, usd, tokens, basis: 'lost' }));
  }
  for (const [callId, intent] of recovered.openIntents) {
    if (!hasSideEffects(intent.effect)) continue;
    const { agent, round, name } = intent;
    const asker = recovered.agents.get(agent);
    // What an agent said is not kept beyond its end.
    const open = asker?.end === null ? asker.conversation.openCalls : [];
    const call = open.find(({ id }) => id === callId);
    const outcome: ToolOutcome = {
      status: 'unknown',
      text: unknownText(name, call, captured(callId)),
    };
    facts.push(factOf('tool.outcome', agent, round, { callId, name, outcome }));
  }
  return facts;
}

/** How much of a lost call's arguments and output the model is shown. */
const SHOWN_CHARS = 2_000;

function unknownText(name: string, call: ToolCall | undefined, output: string): string {
  const args = call === undefined ? '' : JSON.stringify(call.args).slice(0, SHOWN_CHARS);
  const lines = [
    `[outcome unknown] The program ended while this call was running: ${name}(${args}).`,
    'It may have happened in full, in part or not at all, and it was not run again.',
    'Check its effects before you repeat it.',
  ];
  if (output !== '') lines.push('Output captured before that:', output.slice(-SHOWN_CHARS));
  return lines.join('\n');
}
