/** Which model answers a round, and which is asked when it cannot. Pure: its tests are tables. */
import type { ModelError, ModelErrorKind } from '../../messages/model.js';

export interface Routing {
  /** `rounds`: `overrides` name another model for some rounds; `cheap-first`: `cheap` before `switchAt`. */
  readonly strategy: 'single' | 'rounds' | 'cheap-first';
  /** By the number of the round. */
  readonly overrides: Readonly<Record<string, string>>;
  /** Null: the configured model. */
  readonly cheap: string | null;
  readonly powerful: string | null;
  readonly switchAt: number;
}

/** Every agent counts its own rounds. */
export function route(routing: Routing, configured: string, round: number): string {
  switch (routing.strategy) {
    case 'single':
      return configured;
    case 'rounds':
      return routing.overrides[String(round)] ?? configured;
    case 'cheap-first':
      return (round < routing.switchAt ? routing.cheap : routing.powerful) ?? configured;
  }
}

/** Failures of one model, where another at the same server may still answer. */
const OF_THE_MODEL: readonly ModelErrorKind[] = ['overloaded', 'rate-limit', 'server', 'not-found'];

/** The next model of the chain for the same round; null: there is none, or none could help. */
export function nextModel(
  fallback: readonly string[],
  failed: { readonly model: string; readonly error: ModelError; readonly first: ModelError },
): string | null {
  if (!OF_THE_MODEL.includes(failed.error.kind)) return null;
  // Each once, so that a chain in which a name stands twice has an end.
  const chain = [...new Set(fallback)];
  const isFirst = failed.first === failed.error;
  const rest = isFirst ? chain : chain.slice(chain.indexOf(failed.model) + 1);
  return rest.find((model) => model !== failed.model) ?? null;
}
