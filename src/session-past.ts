/** What a session knows of those before it, and what it leaves to those after it. */
import type { Time } from '../actors/ports.js';
import type { Broadcast } from '../messages/channels/broadcast.js';
import type { ObservedFact } from '../messages/coordinator.js';
import type { RunResult } from '../messages/result.js';
import type { Ground } from './ground.js';
import { SessionGuides } from './session-guides.js';
import { keepFindings, rememberedText } from './session-memory.js';
import { sessionProfile } from './session-profile.js';
import type { Estimators } from './session/estimators.js';

export interface SessionPast {
  readonly warnings: readonly string[];
  readonly estimators: Estimators;
  /** For the first prompt, as things are now; empty: there is nothing. */
  readonly remembered: () => string;
  /** What its agents are told of tools, and were told by an earlier run of it. */
  readonly guides: SessionGuides;
  observe(facts: Broadcast<ObservedFact>): void;
  /** Never throws. */
  keep(result: RunResult): void;
}

export interface PastParts {
  readonly home: string;
  readonly ground: Ground;
  readonly time: Time;
}

export function sessionPast({ home, ground, time }: PastParts): SessionPast {
  const profile = sessionProfile({ home, spec: ground.spec, time });
  const { userInstructions, warnings, estimators } = profile;
  const guides = new SessionGuides(ground.recovered?.guides ?? null);
  return {
    warnings,
    estimators,
    remembered: () => rememberedText({ home, ground, userInstructions }),
    guides,
    observe(facts) {
      facts.on(keepFindings(ground));
      facts.on((fact) => profile.observe(fact));
      facts.on((fact) => guides.hear(fact));
    },
    keep: (result) => profile.keep(result),
  };
}
