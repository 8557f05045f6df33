/** What one life of a simulated session is given: what outlives it, and what is decided about it. */
import type { Raise } from '../../messages/budget.js';
import type { Chance } from '../chance.js';
import type { Fault } from '../faults.js';
import type { Happening } from '../happenings.js';
import type { RowStore } from '../journal/row-store.js';
import type { Fate, Scenario } from '../scenario.js';
import type { Timeline } from '../timeline.js';
import type { World } from '../world/world.js';

/** How a session is taken up again. */
export interface Resumed {
  /** A further goal; null: the old one goes on. */
  readonly goal: string | null;
  readonly byPerson: boolean;
  /** What a person adds to the limits; null: nothing. */
  readonly add: Raise | null;
}

export interface LifeParts {
  readonly scenario: Scenario;
  readonly timeline: Timeline;
  readonly world: World;
  readonly store: RowStore;
  /** For this life alone. */
  readonly chance: Chance;
  readonly fate: Fate | null;
  readonly fault: Fault | null;
  /** Null: the session begins. */
  readonly resumed: Resumed | null;
  readonly note: (what: Happening) => void;
}
