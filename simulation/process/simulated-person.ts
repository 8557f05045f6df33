/**
 * A person who looks at the session now and then: answers, meddles, loses patience. What is done goes through
 * the product's own gateway, as from a key or a verb.
 */
import type { ActionRequest } from '../../messages/actions.js';
import type { Question } from '../../messages/questions.js';
import type { QuitReason } from '../../messages/session.js';
import type { Snapshot } from '../../messages/snapshot.js';
import type { ActionGateway } from '../../src/control/action-gateway.js';
import type { Chance } from '../chance.js';
import type { Happening } from '../happenings.js';
import { raiseOf } from '../money.js';
import type { PersonTemper } from '../scenario.js';
import type { SimulatedProcess } from './simulated-process.js';

export interface SimulatedPersonParts {
  readonly process: SimulatedProcess;
  readonly gateway: ActionGateway;
  readonly chance: Chance;
  readonly temper: PersonTemper;
  readonly snapshot: () => Snapshot;
  /** A signal to the process. */
  readonly signal: (reason: QuitReason) => void;
  readonly note: (what: Happening) => void;
}

/** Looks of one who is out of patience, before the session is stopped. */
const LAST_LOOKS = 15;
/** Asked to stop, a session ends within its grace of five seconds and what writing takes. */
const LONGEST_END_MS = 30_000;

export class SimulatedPerson {
  readonly #parts: SimulatedPersonParts;
  #looks = 0;
  #said = 0;
  #isStopping = false;
  #hasLeft = false;

  constructor(parts: SimulatedPersonParts) {
    this.#parts = parts;
  }

  /** Comes back until the process is gone. */
  arrive(): void {
    const { process, chance, temper } = this.#parts;
    process.setTimeout(
      () => {
        if (this.#hasLeft) return;
        this.#look();
        this.arrive();
      },
      chance.between(0, 2 * temper.everyMs),
    );
  }

  /** The session has ended. */
  leave(): void {
    this.#hasLeft = true;
  }

  #look(): void {
    const { temper, chance, snapshot, process, note } = this.#parts;
    this.#looks += 1;
    const { questions, holds, state } = snapshot();
    // All that waits is this look itself, which is over, and those to come.
    if (
      process.pending === 0 &&
      holds.length === 0 &&
      questions.length === 0 &&
      state === 'running'
    )
      note({ type: 'stalled' });
    if (this.#isStopping) return;
    const [question] = questions;
    const isTired = this.#looks > temper.patience;
    if (this.#looks > temper.patience + LAST_LOOKS) this.stop();
    else if (question !== undefined && (isTired || chance.happens(0.5))) {
      this.#act(answerTo(question, chance));
    } else if (holds.some(({ kind }) => kind === 'budget') && chance.happens(0.3)) {
      this.#act({ do: 'resume', add: raiseOf(chance) });
    } else if (isTired && holds.length > 0) this.#act({ do: 'resume' });
    else if (!isTired && chance.happens(temper.meddling)) this.#meddle();
    else if (holds.length > 0 && chance.happens(0.3)) this.#act({ do: 'resume' });
  }

  /** One way or the other. */
  stop(): void {
    const { chance, signal, note } = this.#parts;
    const how = chance.pick<QuitReason | 'stop'>(['stop', 'terminated', 'hangup', 'interrupted']);
    note({ type: 'end.asked', how });
    this.#isStopping = true;
    if (how === 'stop') this.#act({ do: 'stop' });
    else signal(how);
    this.#parts.process.setTimeout(() => {
      if (!this.#hasLeft) note({ type: 'end.overdue', afterMs: LONGEST_END_MS });
    }, LONGEST_END_MS);
  }

  #meddle(): void {
    const { chance, process } = this.#parts;
    const now = chance.happens(0.5);
    const until = chance.happens(0.5) ? process.now() + chance.between(1, 100_000) : null;
    const mode = chance.pick(['steer', 'queue'] as const);
    const text = `words ${process.now()}-${(this.#said += 1)}`;
    const model = chance.pick(['simulated', 'another']);
    const action = chance.weighted<ActionRequest | null>([
      [{ do: 'pause', now, until }, 4],
      [{ do: 'resume' }, 4],
      [{ do: 'send', text, mode }, 5],
      [{ do: 'interrupt' }, 1],
      [{ do: 'approve', question: 'q1', scope: 'once' }, 0.5],
      [{ do: 'set', change: { model, permissionMode: 'plan' } }, 0.5],
      [null, 0.3],
    ]);
    if (action === null) this.stop();
    else this.#act(action);
  }

  #act(action: ActionRequest): void {
    const { gateway, note } = this.#parts;
    note({ type: 'person.acted', action, result: null });
    void gateway.act(action).then((result) => note({ type: 'person.acted', action, result }));
  }
}

function answerTo({ id: question, body }: Question, chance: Chance): ActionRequest {
  if (chance.happens(0.1)) return { do: 'deny', question, reason: 'not now' };
  if (body.kind === 'choice')
    return { do: 'answer', question, text: chance.pick(['1', 'as you like']) };
  return { do: 'approve', question, scope: chance.pick(['once', 'session']) };
}
