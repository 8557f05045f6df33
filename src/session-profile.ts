/** A session's part in the profile: what it starts from, what it observes, and what it adds at its end. */
import { FIRST_WEIGHTS, withinReach, type Weights } from '../actors/context/estimator.js';
import type { Time } from '../actors/ports.js';
import type { ObservedFact } from '../messages/coordinator.js';
import type { CallId, Millis } from '../messages/ids.js';
import type { Usage } from '../messages/model.js';
import type { RunResult } from '../messages/result.js';
import type { SessionSpec } from '../messages/session.js';
import type { ToolFact } from '../messages/tools.js';
import { Estimators } from './session/estimators.js';
import { addRun, readProfile } from './store/profile-file.js';
import { NO_PROFILE, type ModelRun, type Profile, type ToolRun } from './store/profile-record.js';

export interface SessionProfile {
  readonly estimators: Estimators;
  /** What the person wants every agent to know; empty: nothing. */
  readonly userInstructions: string;
  readonly warnings: readonly string[];
  observe(fact: ObservedFact): void;
  /** Never throws: statistics must not cost a result. */
  keep(result: Pick<RunResult, 'status'>): void;
}

export interface ProfileParts {
  readonly home: string;
  readonly spec: SessionSpec;
  readonly time: Time;
}

export function sessionProfile({ home, spec, time }: ProfileParts): SessionProfile {
  const { profile, warning } = readProfile(home);
  // A scripted server reports what its script says: nothing is learned from that.
  const scripted = spec.rehearsal !== null;
  const known = scripted ? NO_PROFILE : profile;
  const estimators = new Estimators((model) => weightsIn(known, model));
  const run = new ObservedRun();
  return {
    estimators,
    userInstructions: profile.user_instructions.trim(),
    warnings: warning === null ? [] : [warning],
    observe: (fact) => run.observe(fact),
    keep({ status }) {
      if (scripted) return;
      const { models, tools } = run;
      const weights = estimators.learned();
      try {
        const finished = status === 'done';
        const counted = addRun(home, { at: time.now(), finished, models, tools, weights });
        if (!counted) process.stderr.write('ouro: the profile is busy; this run is not in it\n');
      } catch (error) {
        process.stderr.write(`ouro: the profile could not be kept: ${String(error)}\n`);
      }
    },
  };
}

/** Undefined: nothing was learned about it. */
export function weightsIn({ models }: Profile, model: string): Weights | undefined {
  const stored = Object.hasOwn(models, model) ? models[model]?.weights : undefined;
  return stored === undefined ? undefined : withinReach({ ...FIRST_WEIGHTS, ...stored });
}

type Counting<T> = { -readonly [K in keyof T]: T[K] };

class ObservedRun {
  readonly models = new Map<string, Counting<ModelRun>>();
  readonly tools = new Map<string, Counting<ToolRun>>();
  readonly #startedAt = new Map<CallId, Millis>();

  observe(fact: ObservedFact): void {
    if (fact.type === 'model.used') this.#countRound(fact.model, fact.usage);
    else if (fact.type === 'tool.started') this.#startedAt.set(fact.callId, fact.at);
    else if (fact.type === 'tool.finished') this.#countCall(fact);
  }

  #countRound(model: string, { promptTokens, completionTokens, costUsd }: Usage): void {
    const run = this.models.get(model) ?? { rounds: 0, tokens: 0, costUsd: 0, unpriced: false };
    this.models.set(model, run);
    run.rounds += 1;
    run.tokens += promptTokens + completionTokens;
    run.costUsd += costUsd ?? 0;
    if (costUsd === undefined) run.unpriced = true;
  }

  #countCall({ callId, name, outcome, at }: Extract<ToolFact, { type: 'tool.finished' }>): void {
    const run = this.tools.get(name) ?? { calls: 0, errors: 0, resultBytes: 0, ms: 0 };
    this.tools.set(name, run);
    run.calls += 1;
    if (outcome.status !== 'ok') run.errors += 1;
    run.resultBytes += Buffer.byteLength(outcome.text);
    // What was answered from memory, or refused, never started.
    run.ms += at - (this.#startedAt.get(callId) ?? at);
    this.#startedAt.delete(callId);
  }
}
