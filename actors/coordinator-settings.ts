/** What a person's `set` means: who is told of it, and what the person is answered. Pure. */
import type { ActionResult } from '../messages/actions.js';
import type { Letter } from '../messages/coordinator.js';
import { MAIN_AGENT } from '../messages/ids.js';
import type { SessionSpec } from '../messages/session.js';
import { settingWords, type SettingsChange } from '../messages/settings-change.js';
import { changedSpec, isReleased } from './changed-settings.js';
import type { State } from './coordinator-state.js';

type Changed = readonly [State, readonly Letter[], ActionResult];

/** The world has the new settings before anybody goes on because of them. */
export function changeSettings(state: State, change: SettingsChange): Changed {
  const before = state.spec;
  const spec = changedSpec(before, change);
  const words = settingWords(change);
  if (spec === before) {
    return [state, [], { ok: true, changed: false, message: `it is so already: ${words}` }];
  }
  const released = state.holds.some((hold) => isReleased(hold, before, spec));
  const letters: Letter[] = [
    { to: 'root', message: { type: 'root.changed', spec } },
    ...lettersToAgents(state, spec),
    ...(released ? [LIFT] : []),
  ];
  const message = `from its next round on: ${words}${released ? '; it is not held for its budget any more' : ''}`;
  return [inView(state, spec), letters, { ok: true, changed: true, message }];
}

const LIFT: Letter = {
  to: 'pause',
  message: { type: 'pause.lift', kinds: ['budget'], scope: 'session' },
};

/** Sub-agents have rounds of their own; those that were given another model keep it. */
function lettersToAgents({ agents, spec: before }: State, spec: SessionSpec): Letter[] {
  const model = { from: before.model, to: spec.model };
  const { maxRounds } = spec.limits;
  const isOther = model.from !== model.to;
  return agents
    .filter(({ end }) => end === null)
    .flatMap(({ id: agent }): Letter[] => {
      const rounds =
        agent === MAIN_AGENT && maxRounds !== before.limits.maxRounds ? { maxRounds } : {};
      const told = { ...(isOther ? { model } : {}), ...rounds };
      if (Object.keys(told).length === 0) return [];
      return [{ to: 'agent', agent, message: { type: 'agent.set', ...told } }];
    });
}

function inView(state: State, spec: SessionSpec): State {
  const { model: from } = state.spec;
  const { model } = spec;
  if (from === model) return { ...state, spec };
  const agents = state.agents.map((agent) =>
    agent.end === null && (agent.id === MAIN_AGENT || agent.model === from)
      ? { ...agent, model }
      : agent,
  );
  return { ...state, spec, agents };
}
