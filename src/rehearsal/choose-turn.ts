/** Decides which turn answers a request, and says why none does. */
import type { Place } from './attempts.js';
import { leavesNoMessage } from './fault.js';
import { matches, unmet } from './moment.js';
import type { Replayed } from './replay.js';
import type { Scenario, Turn } from './scenario.js';

/** Null: no turn that is left matches. */
export function chooseTurn(
  scenario: Scenario,
  { spent, moment }: Replayed,
  place: Place,
): Turn | null {
  const used = (turn: Turn, index: number): number =>
    (spent[index] ?? 0) + (leavesNoMessage(turn.fault) ? (place.faults.get(index) ?? 0) : 0);
  return (
    scenario.turns.find(
      (turn, index) => used(turn, index) < turn.times && matches(turn.when, moment),
    ) ?? null
  );
}

/** Names the turn that came nearest, and what was missing. */
export function whyNoTurn(scenario: Scenario, replayed: Replayed): string {
  const { moment } = replayed;
  const request = `agent ${moment.agent}, round ${moment.round}, last tool ${moment.lastTool ?? 'none'}`;
  return `scenario "${scenario.name}" has no turn for this request (${request}). ${nearest(scenario, replayed)}`;
}

function nearest({ turns }: Scenario, { spent, moment }: Replayed): string {
  const left = turns.filter((turn, index) => (spent[index] ?? 0) < turn.times);
  const [closest] = left
    .map((turn) => ({ turn, reasons: unmet(turn.when, moment) }))
    .sort((a, b) => a.reasons.length - b.reasons.length);
  if (closest === undefined) return `All ${turns.length} turns are used up.`;
  if (closest.reasons.length > 0) {
    return `Nearest is ${describe(closest.turn)}: ${closest.reasons.join('; ')}.`;
  }
  return `Nearest is ${describe(closest.turn)}, which was served ${closest.turn.times} times here and has no more.`;
}

function describe(turn: Turn): string {
  const calls = turn.calls.map((call) => call.name).join(', ');
  const what = turn.fault?.kind ?? (calls === '' ? 'text' : calls);
  return `turn ${turn.number} (${what})`;
}
