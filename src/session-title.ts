/**
 * A title for a session that nobody named, by the small model. It is asked for while the main agent's tools
 * run, after the first round; it gives way to every other request, is tried twice at most, and nothing is said
 * when it comes to nothing: the first line of the goal then stays its name.
 */
import { isTransient, type ModelOutcome } from '../messages/model.js';
import type { ModelClient, Time } from '../actors/ports.js';
import { userMessage } from '../actors/conversation.js';
import { loadPrompt } from '../config/prompts.js';
import { MAIN_AGENT, type AgentId } from '../messages/ids.js';
import { sessionFact } from '../messages/journal.js';
import type { ObservedFact } from '../messages/coordinator.js';
import { isOpen } from '../messages/pause.js';
import type { DaemonRequest } from './daemon-request.js';
import type { Ground } from './ground.js';
import type { MeteredSession } from './session-budget.js';
import type { Parts } from './session-parts.js';
import type { SessionSettings } from './session-settings.js';
import { titleIn, TITLE_CHARS } from './session/title-text.js';
import type { Mesh } from './session/mesh.js';
import type { StartingPoint } from './session/starting-point.js';
import { givenName } from './store/session-labels.js';
import { redactor } from './tools/redaction.js';

/** Who asks, as the model server is told. No agent of the mesh: it has no rounds and no conversation. */
const TITLER = 'titler' as AgentId;

const MAX_TRIES = 2;

/** A title that takes longer is not worth the place at the server. */
const LIMIT_MS = 30_000;

/** A model that thinks first needs more than the title has. */
const MAX_TOKENS = 1_000;

/** A goal can be a long document; what it asks for stands at its beginning. */
const GOAL_CHARS = 2_000;

export interface TitleParts {
  readonly ground: Ground;
  readonly request: Pick<DaemonRequest, 'home' | 'env' | 'config' | 'needsCommands'>;
  readonly goal: string;
  /** A limit that is reached is no reason to hold the session for it. */
  readonly model: ModelClient;
  readonly settings: Pick<SessionSettings, 'inForce' | 'title'>;
  readonly time: Time;
  readonly mesh: () => Pick<Mesh, 'facts' | 'snapshots' | 'tell'>;
}

/** Null: none is to be asked, unless it is configured: not of a script, and not where it would cost money. */
function titleModel({ ground, request }: TitleParts): string | null {
  const { local, rehearsal, model } = ground.spec;
  const { small, titles } = request.config.model;
  // Without a person nobody looks at lists of sessions.
  const byItself = rehearsal === null && !request.needsCommands && (small !== null || local);
  return (titles ?? byItself) ? (small ?? model) : null;
}

export function sessionTitle(
  { request, ground, time }: Parts,
  own: {
    readonly settings: SessionSettings;
    readonly budget: MeteredSession;
    readonly start: StartingPoint;
    readonly mesh: () => Mesh;
  },
): SessionTitle {
  const { settings, budget, start, mesh } = own;
  const model = settings.following(budget.metered);
  return new SessionTitle({
    ...{ ground, request, goal: start.state.goal, model, settings, time, mesh },
  });
}

export class SessionTitle {
  readonly #parts: TitleParts;
  readonly #model: string | null;
  #tries = 0;
  #running: { readonly stop: AbortController; readonly done: Promise<void> } | null = null;

  constructor(parts: TitleParts) {
    this.#parts = parts;
    this.#model = titleModel(parts);
  }

  /** Hears of the session from here on. */
  follow(): void {
    if (this.#model !== null && this.#isWanted)
      this.#parts.mesh().facts.on((fact) => this.#hear(fact));
  }

  /** Resolves when nothing of it is under way any more. */
  async close(): Promise<void> {
    this.#tries = MAX_TRIES;
    this.#running?.stop.abort();
    await this.#running?.done;
  }

  get #isWanted(): boolean {
    const { settings, request } = this.#parts;
    const { id, named } = settings.inForce;
    return named === false && givenName(request.home, id) === null;
  }

  #hear(fact: ObservedFact): void {
    if (fact.type === 'pause.changed') {
      if (!isOpen(fact.holds, MAIN_AGENT)) this.#running?.stop.abort();
    } else if (fact.type === 'agent.status') {
      const { agent, phase, round } = fact;
      if (phase === 'queued' && agent !== TITLER) this.#running?.stop.abort();
      else if (phase === 'acting' && agent === MAIN_AGENT && round > 0) this.#begin();
    }
  }

  #begin(): void {
    const { holds } = this.#parts.mesh().snapshots.current;
    if (this.#running !== null || this.#tries >= MAX_TRIES || !isOpen(holds, MAIN_AGENT)) return;
    if (!this.#isWanted) return;
    this.#tries += 1;
    const stop = new AbortController();
    const done = this.#ask(stop).finally(() => (this.#running = null));
    this.#running = { stop, done };
  }

  async #ask(stop: AbortController): Promise<void> {
    const { model, goal } = this.#parts;
    const timer = setTimeout(() => stop.abort(), LIMIT_MS);
    const request = {
      agent: TITLER,
      model: this.#model ?? '',
      messages: [
        { role: 'system', text: loadPrompt('title', { chars: String(TITLE_CHARS) }) },
        userMessage(`<task>\n${goal.slice(0, GOAL_CHARS)}\n</task>`, 'harness'),
      ],
      tools: [],
      maxTokens: MAX_TOKENS,
    } as const;
    const outcome = await model.ask(request, () => undefined, stop.signal);
    clearTimeout(timer);
    await this.#take(outcome);
  }

  async #take(outcome: ModelOutcome): Promise<void> {
    if (outcome.status === 'failed' && !isTransient(outcome.error.kind)) this.#tries = MAX_TRIES;
    if (outcome.status !== 'ok') return;
    this.#tries = MAX_TRIES;
    const { ground, request, settings, time, mesh } = this.#parts;
    const { text, model, usage } = outcome.reply;
    // A person may have been quicker.
    const title = this.#isWanted ? titleIn(redactor(request.env)(text)) : null;
    if (title !== null) settings.title(title);
    const titled = { title, modelUse: [{ model, usage }] };
    try {
      await ground.journal.append([sessionFact('session.titled', titled)]);
      if (title !== null) ground.index.patch(ground.spec.id, { name: title });
    } catch {
      // A journal that cannot be written reports itself; the list is only for looking.
    }
    await mesh().tell({ type: 'session.titled', ...titled, at: time.now() });
  }
}
