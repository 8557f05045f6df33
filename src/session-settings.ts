/**
 * The settings of a session as a person changes them while it runs: admitted before they are recorded, and
 * carried out for all that reads them from then on.
 */
import { titledSpec } from '../actors/changed-settings.js';
import { afterAction } from '../actors/raised-limits.js';
import type { ModelClient } from '../actors/ports.js';
import type { Config } from '../config/settings.js';
import type { ActionRequest } from '../messages/actions.js';
import type { PermissionMode, SessionSpec } from '../messages/session.js';
import type { Ground } from './ground.js';
import { unpricedLimit } from './session-budget.js';
import { giveName } from './store/session-labels.js';

export interface SettingsParts {
  readonly ground: Pick<Ground, 'spec' | 'index'>;
  readonly home: string;
  readonly config: Config;
  readonly judge: { setMode(mode: PermissionMode): void };
}

export class SessionSettings {
  readonly #parts: SettingsParts;
  /** With what was admitted and is still on its way: two changes cannot pass a check that both fail. */
  #admitted: SessionSpec;
  #inForce: SessionSpec;

  constructor(parts: SettingsParts) {
    this.#parts = parts;
    this.#admitted = parts.ground.spec;
    this.#inForce = parts.ground.spec;
  }

  get inForce(): SessionSpec {
    return this.#inForce;
  }

  /** Why it is not even recorded; null: it is. */
  readonly admit = (action: ActionRequest): string | null => {
    const next = afterAction(this.#admitted, action) ?? this.#admitted;
    const refusal = action.do === 'set' ? unpricedLimit(next, this.#parts.config) : null;
    if (refusal === null) this.#admitted = next;
    return refusal?.reason ?? null;
  };

  /** What the root does when settings have changed; `first`: has them before all others. */
  after(first?: (spec: SessionSpec) => void): (spec: SessionSpec) => void {
    return (spec) => {
      first?.(spec);
      this.apply(spec);
    };
  }

  /** A model has named it. */
  title(title: string): void {
    this.#admitted = titledSpec(this.#admitted, title);
    this.#inForce = titledSpec(this.#inForce, title);
  }

  /** They are as in `spec` from here on. */
  apply(spec: SessionSpec): void {
    const before = this.#inForce;
    this.#inForce = spec;
    const { judge, home, ground } = this.#parts;
    judge.setMode(spec.permissions.mode);
    const { id, name, model } = spec;
    if (name === before.name && model === before.model) return;
    try {
      if (name !== before.name) giveName(home, id, name);
      ground.index.patch(id, { name, model });
    } catch {
      // For lists only: the journal has it, and says so if the disk is full.
    }
  }

  /** For side work, which is asked of the session's model by the name that it had at the start. */
  following(model: ModelClient): ModelClient {
    return {
      ask: (request, ...rest) => {
        const isOwn = request.model === this.#parts.ground.spec.model;
        const asked = isOwn ? { ...request, model: this.#inForce.model } : request;
        return model.ask(asked, ...rest);
      },
    };
  }
}
