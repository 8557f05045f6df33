/** The bottom of the screen: what just happened or what is asked, else where the session stands and the keys. */
import { MAIN_AGENT } from '../../messages/ids.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { countdown, cost, tokens } from '../view/amounts.js';
import { BINDINGS, MESSAGE_KEYS } from '../view/key-table.js';
import { visiblePart } from '../view/line-editor.js';
import { GREY, line, span, type Line } from '../picture.js';
import { displayWidth, sanitiseLine } from '../text/sanitise.js';
import type { ViewState } from '../view/view-model.js';
import { stateStyle } from './progress-panel.js';

const PROMPTS = { message: 'say> ', search: 'search> ' } as const;

export interface TypingLine {
  readonly line: Line;
  /** Column of the cursor. */
  readonly cursor: number;
}

export function typingLine(state: ViewState, width: number): TypingLine | null {
  if (state.typing === null) return null;
  const prompt = PROMPTS[state.typing];
  const editor = state.typing === 'message' ? state.draft : state.searchDraft;
  const part = visiblePart(editor, width - prompt.length);
  return {
    line: [span(prompt, { fg: 'cyan', bold: true }), span(part.text)],
    cursor: prompt.length + part.cursor,
  };
}

const widthOf = (parts: Line): number =>
  parts.reduce((sum, { text }) => sum + displayWidth(text), 0);

/** State and countdown first. What the progress panel shows is repeated only where that is not on the screen. */
function standing(state: ViewState, snapshot: Snapshot, single: boolean): Line[] {
  const main = snapshot.agents.find(({ id }) => id === MAIN_AGENT);
  const until = snapshot.holds.flatMap(({ scope, until: end }) =>
    scope === 'session' && end !== null ? [end] : [],
  );
  const left = until.length === 0 ? '' : ` ${countdown(Math.min(...until), state.now)}`;
  const limit = snapshot.maxRounds === null ? '' : `/${snapshot.maxRounds}`;
  return [
    single && state.focus !== 'log' ? [span(`${state.focus}: `, { bold: true })] : [],
    [span(`${snapshot.state}${left}`, stateStyle(snapshot.state))],
    snapshot.scripted ? [span(' scripted', { fg: 'magenta' })] : [],
    line(` r${main?.round ?? 0}${limit}`),
    single ? line(` · ctx ${tokens(main?.contextTokens ?? 0)}`) : [],
    single ? line(` · cost ${cost(snapshot.totals.costUsd)}`) : [],
  ];
}

const hintOf = (shown: string, hint: string): Line => [
  span(`  ${shown}`, { fg: 'cyan', bold: true }),
  span(hint === '' ? '' : ` ${hint}`, GREY),
];
const HINTS: Line = BINDINGS.flatMap(({ shown, hint }) =>
  hint === undefined ? [] : hintOf(shown, hint),
);
const SHORT_HINT: Line = hintOf('?', '');

/** All the hints, or as much of the standing as fits beside the way to the help. */
function standingLine(parts: readonly Line[], width: number): Line {
  const all = [...parts.flat(), ...HINTS];
  if (widthOf(all) <= width) return all;
  let fitting = parts;
  while (fitting.length > 2 && widthOf(fitting.flat()) + widthOf(SHORT_HINT) > width) {
    fitting = fitting.slice(0, -1);
  }
  return [...fitting.flat(), ...SHORT_HINT];
}

function endLine(state: ViewState): Line | null {
  if (state.end === null) return null;
  if (state.end.kind === 'lost') {
    // What to do stands first: the reason may be longer than the line.
    const text = `Lost the session. R resumes it, q leaves. Reason: ${sanitiseLine(state.end.reason)}`;
    return line(text, { fg: 'red', bold: true });
  }
  const how = state.end.result?.status ?? state.snapshot?.state ?? 'over';
  const reason = state.end.result?.reason ?? '';
  const why = reason === '' ? '' : `: ${sanitiseLine(reason)}`;
  return line(`Ended ${how}${why}. Any key closes; arrows look around.`, {
    fg: 'green',
    bold: true,
  });
}

function typingHint(state: ViewState): Line | null {
  if (state.typing === 'search') return line('Enter searches · Esc closes', GREY);
  if (state.typing !== 'message') return null;
  const { send, queue, close } = MESSAGE_KEYS;
  return line(`${send.shown} steers · ${queue.shown} queues · ${close.shown} closes`, GREY);
}

export function statusLine(state: ViewState, width: number, single: boolean): Line {
  if (state.confirmingStop) {
    return line('Stop the session? y stops it, n goes on', { fg: 'yellow', bold: true });
  }
  if (state.notice !== null) {
    const style = state.notice.tone === 'warning' ? { fg: 'yellow' as const, bold: true } : {};
    return line(sanitiseLine(state.notice.text), style);
  }
  const special = endLine(state) ?? typingHint(state);
  if (special !== null) return special;
  if (state.snapshot === null) return line('connecting …', GREY);
  return standingLine(standing(state, state.snapshot, single), width);
}
