/**
 * What an agent does in each phase of a round, over its ports. Each step ends with a value that says what
 * comes next and must not throw, except for bugs. The order in the journal is the promise: an intent is on
 * disk before its effect begins, and rows that describe the past are committed before anything that
 * follows from them, because every append keeps its place.
 */
import type { AgentFact, CycleEnd } from '../messages/agents.js';
import type { Message } from '../messages/conversation.js';
import type { AgentId, CallId } from '../messages/ids.js';
import { factOf, type JournalFact } from '../messages/journal.js';
import type { ModelError, ModelReply, ToolDefinition, Usage } from '../messages/model.js';
import type { ToolOutcome, ToolRequest } from '../messages/tools.js';
import { askBeforeRequest, askToEnd, say } from './agent-hooks.js';
import { beginAfterPlan } from './agent-planning.js';
import { badOrder, inOrder, notRun, type OrderedCall } from './call-order.js';
import type { ContextKeeper } from './context/keeper.js';
import { userMessage, type Conversation } from './conversation.js';
import type { FailurePorts } from './model-failure.js';
import type {
  DeltaSink,
  Journal,
  LifecycleHooks,
  ModelClient,
  PlanPhase,
  Time,
  ToolBox,
} from './ports.js';
import { repairHistory } from './repair-history.js';
import { messageOf } from './reply-message.js';

export interface AgentPorts {
  readonly time: Time;
  readonly journal: Journal;
  readonly model: ModelClient;
  readonly gate: {
    isOpen(agent: AgentId): boolean;
    /** Resolves once the gate is open, or `signal` aborts. */
    opened(agent: AgentId, signal: AbortSignal): Promise<void>;
  };
  readonly canonical: ToolBox['canonical'];
  /** Has one tool call run, and waits for its outcome. Must not reject. */
  call(request: ToolRequest): Promise<ToolOutcome>;
  /** Facts keep their order. Resolves when there was room. */
  tell(fact: AgentFact): Promise<unknown>;
  readonly delta: DeltaSink;
  /** Left out: no command of the operator is asked. */
  readonly hooks?: LifecycleHooks;
  /** Sub-agents in the background; left out: there are none. */
  readonly children?: ChildrenPort;
  /** Milliseconds to wait before attempt `attempt + 1`. */
  retryDelay(attempt: number, error: ModelError): number;
  /** The model for a round, given the one that is configured; left out: that one. */
  readonly modelFor?: (agent: AgentId, round: number, configured: string) => string;
  /** What becomes of a request that failed for good; left out: the turn ends with its error. */
  readonly failures?: FailurePorts;
}

/** What works for an agent while it goes on. */
export interface ChildrenPort {
  /** The results it has not been told yet; they count as told. */
  takeReports(parent: AgentId): readonly ChildReport[];
  /** Some of them have not ended. */
  anyAlive(parent: AgentId): boolean;
  /** Resolves when there is a result to be told, or `signal` aborts. */
  reported(parent: AgentId, signal: AbortSignal): Promise<void>;
}

export interface ChildReport {
  readonly agent: AgentId;
  readonly text: string;
}

/** What an agent is, from its birth on. */
export interface AgentSetup {
  readonly agent: AgentId;
  /** A person may change it between two rounds. */
  model: string;
  readonly tools: readonly ToolDefinition[];
  readonly conversation: Conversation;
  /** Rounds it has behind it. */
  readonly round: number;
  /** Rounds it may still do; null: no limit. A person may change it, too. */
  maxRounds: number | null;
  /** Attempts after the first. */
  readonly retries: number;
  /** JSON Schema of the final answer; left out: any text will do. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Why an end is not accepted, in words for the model; null: it is. Asked again after each further answer. */
  readonly objection?: (end: CycleEnd, messages: readonly Message[]) => string | null;
  /** Left out: it does not plan. */
  readonly plan?: PlanPhase;
  /** Keeps the conversation within the window; left out: nothing does. */
  keeper?: ContextKeeper;
}

/** An answer cut off at the token limit is asked to go on this often in a row, as other agents do. */
const MAX_CONTINUATIONS = 3;

export type Prepared =
  | { readonly kind: 'ready' }
  /** Something came up meanwhile: to be looked at once more, behind the gate. */
  | { readonly kind: 'again' }
  /** The turn is over, but others still work for it. */
  | { readonly kind: 'awaiting' }
  | { readonly kind: 'end'; readonly end: CycleEnd };

export type Asked =
  | { readonly kind: 'calls' }
  | { readonly kind: 'turn-over' }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'failed'; readonly error: ModelError };

/** Lets in what was said, and decides whether there is anything left to ask. */
export async function prepare(
  ports: AgentPorts,
  setup: AgentSetup,
  round: number,
  signal: AbortSignal,
): Promise<Prepared> {
  const { conversation, agent } = setup;
  for (const { agent: report, text } of ports.children?.takeReports(agent) ?? []) {
    const message = userMessage(text, 'harness');
    conversation.add(message);
    record(ports, factOf('message.added', agent, round, { message, report }));
  }
  for (const said of conversation.takeSaid(conversation.turnIsOver)) {
    const origin = said.mode;
    const message = userMessage(said.text, origin);
    conversation.add(message);
    conversation.corrections.reset();
    const body = { message, source: said.source };
    record(ports, factOf('message.added', agent, round, body));
    const at = ports.time.now();
    await ports.tell({ type: 'agent.heard', agent, round, text: said.text, origin, at });
  }
  if (conversation.turnIsOver) {
    if (ports.children?.anyAlive(agent) === true) return { kind: 'awaiting' };
    const end = endOf(conversation);
    const reminder = conversation.tally.submission === null ? setup.plan?.remind() : null;
    const objection = reminder ?? setup.objection?.(end, conversation.messages) ?? null;
    if (objection === null) {
      const asked = await askToEnd(ports, setup, round, end, signal);
      return asked === 'again' ? { kind: 'again' } : { kind: 'end', end: asked };
    }
    say(ports, setup, round, objection);
  }
  const error = conversation.corrections.failure(setup.model);
  if (error !== null) return { kind: 'end', end: { status: 'model-failed', error } };
  const { maxRounds } = setup;
  if (maxRounds !== null && round - setup.round >= maxRounds) {
    const text = conversation.lastText;
    return { kind: 'end', end: { status: 'round-limit', limit: maxRounds, text } };
  }
  await beginAfterPlan(ports, setup, round);
  await setup.keeper?.fit(round + 1, signal);
  const refused = await askBeforeRequest(ports, setup, round + 1, signal);
  if (signal.aborted) return { kind: 'again' };
  return refused === null ? { kind: 'ready' } : { kind: 'end', end: refused };
}

function endOf(conversation: Conversation): CycleEnd {
  const { submission, unresolved: denied } = conversation.tally;
  if (submission === null) return { status: 'done', text: conversation.lastText, denied };
  const text = submission.summary;
  switch (submission.outcome) {
    case 'done':
      return { status: 'done', text, denied };
    case 'partial':
      return { status: 'partial', text };
    case 'blocked':
      return { status: 'blocked', text, denied: denied.length > 0 };
  }
}

/** The request of a round, as the loop has it. */
export interface Request {
  readonly round: number;
  readonly attempt: number;
  /** Asked in place of the model that the round would have; null: that one. */
  readonly instead: string | null;
  /** A server has refused the history as it is. */
  readonly repaired: boolean;
}

export const modelOf = (
  { modelFor }: Pick<AgentPorts, 'modelFor'>,
  { agent, model }: Pick<AgentSetup, 'agent' | 'model'>,
  { instead, round }: Pick<Request, 'instead' | 'round'>,
): string => instead ?? modelFor?.(agent, round, model) ?? model;

/** One model request. A hold that comes before it is sent withdraws it. */
export async function ask(
  ports: AgentPorts,
  setup: AgentSetup,
  request: Request,
  signal: AbortSignal,
): Promise<Asked> {
  const { agent, tools, conversation, outputSchema } = setup;
  const { round, attempt } = request;
  const model = modelOf(ports, setup, request);
  const messages = request.repaired ? repairHistory(conversation.messages) : conversation.messages;
  const isFirst = round === setup.round + 1;
  const names = isFirst ? { tools: tools.map(({ name }) => name) } : {};
  const intent = { model, messages: messages.length, attempt, ...names };
  if (model !== setup.model && attempt === 1) {
    await ports.tell({ type: 'model.routed', agent, round, model, at: ports.time.now() });
  }
  await ports.journal.append([factOf('model.intent', agent, round, intent)]);
  if (signal.aborted || !ports.gate.isOpen(agent)) {
    record(ports, factOf('model.outcome', agent, round, { status: 'withdrawn' }));
    return { kind: 'withdrawn' };
  }
  const startedAt = ports.time.now();
  const sent = setup.keeper?.sending(round, messages) ?? messages;
  const outcome = await ports.model.ask(
    {
      agent,
      round,
      model,
      messages: sent,
      tools,
      ...(outputSchema === undefined ? {} : { outputSchema }),
    },
    ({ kind, text }) => ports.delta({ type: 'agent.delta', agent, round, kind, text }),
    signal,
  );
  const ms = ports.time.now() - startedAt;
  switch (outcome.status) {
    case 'cancelled':
      record(ports, factOf('model.outcome', agent, round, { status: 'cancelled' }));
      return { kind: 'withdrawn' };
    case 'failed': {
      const { error } = outcome;
      record(ports, factOf('model.outcome', agent, round, { status: 'failed', error, ms }));
      return { kind: 'failed', error };
    }
    case 'ok':
      return answered(ports, setup, round, { reply: outcome.reply, ms });
  }
}

async function answered(
  ports: AgentPorts,
  { agent, conversation, keeper }: AgentSetup,
  round: number,
  { reply, ms }: { reply: ModelReply; ms: number },
): Promise<Asked> {
  const { usage, finish, model, text, reasoning, notices } = reply;
  const message = messageOf(ports.canonical, agent, round, reply);
  if (usage !== null) keeper?.counted(usage);
  const goOn = finish === 'length' && message.calls.length === 0 && mayContinue(conversation);
  conversation.add(message);
  conversation.corrections.count(message.calls);
  const rows = [
    factOf('model.outcome', agent, round, { status: 'ok', usage, model, ms, finish }),
    factOf('message.added', agent, round, { message }),
  ];
  if (goOn) {
    const notice = userMessage(CONTINUE, 'harness');
    conversation.add(notice);
    rows.push(factOf('message.added', agent, round, { message: notice }));
  }
  record(ports, ...rows);
  const at = ports.time.now();
  await ports.tell({ type: 'model.used', agent, round, model, usage: usage ?? NO_USAGE, at });
  const calls = message.calls.map(({ name }) => name);
  await ports.tell({
    type: 'agent.said',
    agent,
    round,
    text,
    reasoning,
    calls,
    at,
    ...(notices === undefined ? {} : { notices }),
  });
  return { kind: message.calls.length > 0 ? 'calls' : 'turn-over' };
}

const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };

const CONTINUE = 'Your answer was cut off at the token limit. Go on exactly where it stopped.';

const mayContinue = ({ messages }: Conversation): boolean =>
  messages.slice(-2 * MAX_CONTINUATIONS).filter(isContinue).length < MAX_CONTINUATIONS;

const isContinue = (message: Conversation['messages'][number]): boolean =>
  message.role === 'user' && message.origin === 'harness' && message.text === CONTINUE;

/** Runs the open calls of the newest answer, as far as may be side by side; results enter in call order. */
export async function act(ports: AgentPorts, setup: AgentSetup, round: number): Promise<void> {
  const { agent, conversation } = setup;
  const { openCalls } = conversation;
  const ordered = inOrder(conversation.batch);
  const ends = new Map<CallId, Promise<boolean>>();
  const run = async ({ call, after, fault }: OrderedCall): Promise<boolean> => {
    const settled = conversation.resultOf(call.id);
    if (settled !== null) return settled.status === 'ok';
    // Everything is asked for before anything is waited for.
    await Promise.resolve();
    const failed = await firstFailed(after, ends);
    const before = ordered.find(({ call: { id } }) => id === failed)?.call;
    const refusal = fault !== null ? badOrder(fault) : before === undefined ? null : notRun(before);
    const outcome = refusal ?? (await ports.call({ type: 'tool.request', agent, round, call }));
    if (refusal !== null || outcome.status === 'overloaded') {
      // It never reached the executor, which writes all other outcomes.
      const body = { callId: call.id, name: call.name, outcome };
      record(ports, factOf('tool.outcome', agent, round, body));
    }
    conversation.addResult(call.id, outcome);
    return outcome.status === 'ok';
  };
  if (openCalls.length === 0) return;
  for (const each of ordered) ends.set(each.call.id, run(each));
  await Promise.all(ends.values());
}

async function firstFailed(
  calls: readonly CallId[],
  ends: ReadonlyMap<CallId, Promise<boolean>>,
): Promise<CallId | null> {
  for (const id of calls) if ((await ends.get(id)) === false) return id;
  return null;
}

/** Appends without waiting: later rows cannot overtake, and a journal that fails reports itself. */
export function record(ports: Pick<AgentPorts, 'journal'>, ...facts: JournalFact[]): void {
  ports.journal.append(facts).catch(() => undefined);
}
