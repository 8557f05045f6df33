/** What keeping an agent's context needs of a session: summaries, windows, and how a conversation begins anew. */
import type { LifecycleHooks, ModelClient, Time } from '../actors/ports.js';
import type { CompactionMoment, Condensed } from '../actors/context/condensing.js';
import type { CompactionVerdict } from '../actors/context/keeper-frame.js';
import { ADVISE_AT, ACT_AT } from '../actors/context/ladder.js';
import { EARLIER_CALLS } from '../actors/context/summary.js';
import { userMessage } from '../actors/conversation.js';
import { loadPrompt } from '../config/prompts.js';
import type { KnownEndpoint } from './known-endpoint.js';
import { firstPrompt } from './session-start.js';
import type { InstructionSource } from './context/instructions.js';
import type { Config } from '../config/settings.js';
import type { BudgetLine } from '../messages/budget.js';
import type { Message } from '../messages/conversation.js';
import type { AgentId } from '../messages/ids.js';
import type { Discovery, TodoItem } from '../messages/journal.js';
import type { ModelOutcome, ModelRequest } from '../messages/model.js';
import type { SessionSpec } from '../messages/session.js';
import type { SessionGate } from './session-gate.js';
import type { Clock } from './session/actor-pump.js';
import type { SessionContext } from './session/agent-context.js';
import type { Estimators } from './session/estimators.js';
import { limitedSignal } from './session/limited-signal.js';
import { Reminders } from './session/reminders.js';

/** Words of a summary: about 1,500 tokens. */
const SUMMARY_WORDS = 1_000;

/** A summary that takes longer is not worth waiting for: the next step frees room without one. */
const SUMMARY_TIMEOUT_MS = 120_000;

/** A hook has a limit of its own; this is for all of them. */
const HOOKS_TIMEOUT_MS = 600_000;

/** Characters of findings that a conversation begins anew with; the newest come first. */
const FINDINGS_CHARS = 8_000;

export interface ContextParts {
  readonly spec: SessionSpec;
  readonly config: Config;
  readonly model: ModelClient;
  readonly time: Time;
  /** Left out: the system's. */
  readonly clock?: Clock;
  /** Left out: no agent is ever held. */
  readonly gate?: Pick<SessionGate, 'opened'>;
  readonly instructions: InstructionSource;
  readonly findings: () => readonly Discovery[];
  readonly todos: () => readonly TodoItem[];
  /** The plan that was submitted; null: none was. Left out: the session does not plan. */
  readonly plan?: () => string | null;
  readonly budget: () => readonly BudgetLine[];
  readonly hooks: LifecycleHooks | undefined;
  readonly estimators: Estimators;
  /** What was found out about the model server. */
  readonly known: KnownEndpoint;
}

export function sessionContext(parts: ContextParts): SessionContext {
  const { config } = parts;
  const reminders = new Reminders();
  return {
    estimators: parts.estimators,
    windowOf: (model) => parts.known.windowOf(model),
    replyTokens: config.model.maxTokens ?? config.context.replyTokens,
    beforeCompact: (agent, round) => askHooks(parts, agent, round),
    condense: (part, before, about) => condense(parts, about, part, before),
    beginning: (_agent, words) => beginning(parts, words),
    notice(agent, moment) {
      const about = { todos: parts.todos(), budget: parts.budget() };
      const said = [notice(parts, moment.share), ...reminders.of(agent, moment, about)];
      return said.filter((text) => text !== null).join('\n') || null;
    },
  };
}

async function askHooks(
  { hooks }: ContextParts,
  agent: AgentId,
  round: number,
): Promise<CompactionVerdict> {
  if (hooks === undefined) return { leave: false, note: null };
  const signal = AbortSignal.timeout(HOOKS_TIMEOUT_MS);
  const verdict = await hooks.preCompact({ agent, round, reason: 'the window fills up' }, signal);
  return verdict.decision === 'block'
    ? { leave: true, note: null }
    : { leave: false, note: verdict.message };
}

async function condense(
  parts: ContextParts,
  { agent, round, note, signal }: CompactionMoment,
  part: string,
  before: string,
): Promise<Condensed> {
  const { spec, config } = parts;
  const system = loadPrompt('summarise', { words: String(SUMMARY_WORDS) });
  const earlier = before === '' ? '' : `<summary_so_far>\n${before}\n</summary_so_far>\n\n`;
  const keep = note === null ? '' : `\n\nThe operator adds: ${note}`;
  const messages: readonly Message[] = [
    { role: 'system', text: system },
    userMessage(`${earlier}<history>\n${part}\n</history>${keep}`, 'harness'),
  ];
  const asked = { agent, round, model: config.model.small ?? spec.model, messages, tools: [] };
  const outcome = await askUnheld(parts, asked, signal);
  if (outcome.status !== 'ok') return { text: null, use: null };
  const { text, model: answered, usage } = outcome.reply;
  return { text, use: { model: answered, usage } };
}

/** A hold that comes before it is sent takes it back; it is asked for again when the hold is lifted. */
async function askUnheld(
  { model, clock, gate }: ContextParts,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelOutcome> {
  for (;;) {
    await gate?.opened(request.agent, signal);
    const limited = limitedSignal(signal, SUMMARY_TIMEOUT_MS, clock);
    const outcome = await model.ask(request, () => undefined, limited.signal);
    const isOver = limited.signal.aborted;
    limited.release();
    if (outcome.status !== 'cancelled' || isOver || gate === undefined) return outcome;
  }
}

function beginning(parts: ContextParts, words: readonly Message[]): readonly Message[] {
  const carried = [
    findingsText(parts.findings()),
    todosText(parts.todos()),
    planText(parts.plan?.() ?? null),
  ];
  const text = [NEW_BEGINNING, ...carried.filter((each) => each !== '')].join('\n\n');
  return [
    { role: 'system', text: firstPrompt(parts.spec, parts.instructions) },
    ...words,
    userMessage(text, 'harness'),
  ];
}

/** Its first words, and what it knows of findings, tasks and its plan follows. */
export const NEW_BEGINNING =
  'Your conversation grew too long and was begun anew. The work of before is in the workspace: check what is there before you repeat anything. ' +
  EARLIER_CALLS;

function findingsText(findings: readonly Discovery[]): string {
  if (findings.length === 0) return '';
  const lines: string[] = [];
  let chars = 0;
  for (const { title, description } of findings.toReversed()) {
    const line = `- ${title}: ${description}`;
    chars += line.length;
    if (chars > FINDINGS_CHARS) break;
    lines.push(line);
  }
  return ['Previous session findings:', ...lines].join('\n');
}

const todosText = (todos: readonly TodoItem[]): string =>
  todos.length === 0
    ? ''
    : ['Tasks:', ...todos.map(({ task, done }) => `- [${done ? 'x' : ' '}] ${task}`)].join('\n');

const planText = (plan: string | null): string =>
  plan === null ? '' : `The plan you submitted; you are carrying it out:\n${plan}`;

/** Only where there is something to say: the same request is then the same bytes. */
function notice({ time, todos }: ContextParts, share: number): string | null {
  if (share < ADVISE_AT) return null;
  const percent = Math.round(share * 100);
  const advice =
    share < ACT_AT
      ? 'Prefer finishing to exploring; record what you must not forget.'
      : 'Old results are about to be cleared: record findings now.';
  const open = todos().filter(({ done }) => !done).length;
  const tasks = open === 0 ? '' : ` Open tasks: ${open}.`;
  const now = new Date(time.now()).toISOString().slice(0, 16);
  return `[Context notice: about ${percent} % of the window is used. ${advice}${tasks} Time: ${now} UTC]`;
}
