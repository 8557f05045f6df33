/** Where the session stands: state, holds, running tools, rounds, tokens, cost, and how full the mesh's inbox is. */
import type { Hold } from '../../messages/pause.js';
import type { SessionState } from '../../messages/session.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { MAIN_AGENT } from '../../messages/ids.js';
import { cost, countdown, duration, tokens } from '../view/amounts.js';
import { GREY, line, span, type Line, type Size, type Style } from '../picture.js';
import { budgetText } from '../budget-text.js';
import { cutWidth, sanitiseLine, wrap } from '../text/sanitise.js';
import type { ViewState } from '../view/view-model.js';

const LABEL_WIDTH = 8;

export function stateStyle(state: SessionState): Style {
  switch (state) {
    case 'running':
    case 'done':
      return { fg: 'green', bold: true };
    case 'starting':
    case 'resting':
    case 'stopping':
    case 'held':
    case 'unverified':
      return { fg: 'yellow', bold: true };
    case 'failed':
    case 'stopped':
    case 'interrupted':
      return { fg: 'red', bold: true };
  }
}

const row = (label: string, value: string, style: Style = {}): Line => [
  span(label.padEnd(LABEL_WIDTH), GREY),
  span(value, style),
];

function holdLines(hold: Hold, now: number, width: number): Line[] {
  const scope = hold.scope === 'session' ? '' : ` (${hold.scope})`;
  const left = hold.until === null ? '' : ` ${countdown(hold.until, now)}`;
  const why = sanitiseLine(hold.reason);
  return [
    row('hold', `${hold.kind}${scope}${left}`, { fg: 'yellow', bold: true }),
    ...wrap(why, width - 2).map((text) => line(`  ${text}`, { fg: 'yellow' })),
    line(`  ${sanitiseLine(hold.release)}`, GREY),
  ];
}

function callLines(snapshot: Snapshot, now: number, width: number): Line[] {
  return snapshot.calls.map((call) => {
    const what = sanitiseLine(call.summary === '' ? call.name : call.summary);
    const age = duration(now - call.startedAt);
    const room = Math.max(1, width - LABEL_WIDTH - age.length - 1);
    return [...row('tool', age, { fg: 'cyan' }), span(` ${cutWidth(what, room)}`)];
  });
}

function tallyLines(snapshot: Snapshot): Line[] {
  const { totals, inbox, agents, maxRounds } = snapshot;
  const main = agents.find(({ id }) => id === MAIN_AGENT);
  const limit = maxRounds === null ? '' : ` of ${maxRounds}`;
  const cached = totals.cachedTokens === 0 ? '' : ` (${tokens(totals.cachedTokens)} cached)`;
  const denied = totals.denials === 0 ? '' : `, ${totals.denials} denied`;
  const dead = inbox.deadLetters === 0 ? '' : `, ${inbox.deadLetters} dead`;
  return [
    row('round', `${main?.round ?? 0}${limit} · context ${tokens(main?.contextTokens ?? 0)}`),
    row(
      'tokens',
      `${tokens(totals.promptTokens)} in${cached}, ${tokens(totals.completionTokens)} out`,
    ),
    row('cost', `${cost(totals.costUsd)} · ${totals.toolCalls} calls${denied}`),
    ...(snapshot.budget ?? []).map((one) => row('budget', budgetText(one))),
    row('inbox', `${inbox.depth} of ${inbox.capacity}, high ${inbox.highWater}${dead}`),
  ];
}

export function progressPanel({ snapshot, now }: ViewState, { width }: Size): readonly Line[] {
  if (snapshot === null) return [line('connecting …', GREY)];
  const scripted = snapshot.scripted ? [span(' scripted', { fg: 'magenta' })] : [];
  return [
    [...row('state', snapshot.state, stateStyle(snapshot.state)), ...scripted],
    ...snapshot.holds.flatMap((hold) => holdLines(hold, now, width)),
    ...callLines(snapshot, now, width),
    ...tallyLines(snapshot),
    row('model', sanitiseLine(snapshot.model)),
    row('mode', `${snapshot.permissionMode} permissions`),
  ];
}
