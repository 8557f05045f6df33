/** The whole picture from the whole state: which boxes, what is in them, where the cursor is, and the title. */
import { shortId } from '../messages/ids.js';
import { layoutOf, type Layout, type Placed } from './view/layout.js';
import { innerSize, type Box, type Line, type Picture, type Size } from './picture.js';
import { logPanel } from './panels/log-panel.js';
import { questionPanel } from './panels/question-panel.js';
import { scrolledLines } from './panels/scrolled.js';
import { statusLine, typingLine, type TypingLine } from './panels/status-line.js';
import { sanitiseLine } from './text/sanitise.js';
import type { PanelName, ViewState } from './view/view-model.js';
import { panelLines } from './view/view-scroll.js';

/** Longer lines are hard to read. */
const QUESTION_WIDTH = 72;
/** Longer titles are cut by the window bar anyway. */
const TITLE_CHARACTERS = 100;

function labelOf(state: ViewState, name: PanelName): string {
  const { snapshot } = state;
  switch (name) {
    case 'log':
      return snapshot === null
        ? 'Log'
        : `Log · ${sanitiseLine(snapshot.name)} ${shortId(snapshot.session)}`;
    case 'agents':
      return `Agents ${snapshot?.agents.length ?? 0}`;
    case 'discoveries':
      return `Discoveries ${snapshot?.discoveries.length ?? 0}`;
    case 'progress':
      return 'Progress';
  }
}

function linesFor(state: ViewState, name: PanelName | 'help', size: Size): readonly Line[] {
  if (name === 'log') return logPanel(state, size);
  return scrolledLines(panelLines(state, name, size), state.offsets[name], size.height);
}

function panelBox(state: ViewState, { name, rect, framed, inner }: Placed): Box {
  const frame = framed ? { label: labelOf(state, name), focused: state.focus === name } : null;
  return { rect, frame, lines: linesFor(state, name, inner) };
}

function helpBox(state: ViewState, { help, helpFramed }: Layout): Box {
  const lines = linesFor(state, 'help', innerSize(help, helpFramed));
  return { rect: help, frame: helpFramed ? { label: 'Help', focused: true } : null, lines };
}

function bottomBoxes(state: ViewState, layout: Layout, typing: TypingLine | null): Box[] {
  const status = statusLine(state, layout.status.width, layout.single);
  const statusBox: Box = { rect: layout.status, frame: null, lines: [status] };
  if (typing === null || layout.typing === null) return [statusBox];
  return [statusBox, { rect: layout.typing, frame: null, lines: [typing.line] }];
}

/** Over the middle of the screen; as high as what it says, if that fits. */
function questionBox({ modal, now }: ViewState, { help: area }: Layout): Box[] {
  if (modal === null) return [];
  const width = Math.min(area.width, QUESTION_WIDTH);
  const lines = questionPanel(modal, now, { width: width - 2, height: area.height });
  const height = Math.min(area.height, lines.length + 2);
  const rect = {
    left: Math.floor((area.width - width) / 2),
    top: Math.floor((area.height - height) / 2),
    width,
    height,
  };
  const { id, agent } = modal.question;
  return [{ rect, frame: { label: `Question ${id} of ${agent}`, focused: true }, lines }];
}

function titleOf({ snapshot, end }: ViewState): string {
  if (snapshot === null) return 'ouro';
  const standing = end?.kind === 'lost' ? 'lost' : snapshot.state;
  const name = snapshot.name === '' ? shortId(snapshot.session) : snapshot.name;
  const open = snapshot.questions.length;
  const asked = open === 0 ? '' : ` (${open} question${open === 1 ? '' : 's'})`;
  return sanitiseLine(`ouro: ${name} ${standing}${asked}`).slice(0, TITLE_CHARACTERS);
}

export function pictureOf(state: ViewState): Picture {
  const layout = layoutOf(state);
  const typing = typingLine(state, layout.status.width);
  const panels = layout.panels.map((placed) => panelBox(state, placed));
  const help = state.helpOpen ? [helpBox(state, layout)] : [];
  return {
    boxes: [
      ...panels,
      ...help,
      ...questionBox(state, layout),
      ...bottomBoxes(state, layout, typing),
    ],
    cursor:
      typing === null || layout.typing === null
        ? null
        : { x: Math.min(typing.cursor, layout.typing.width - 1), y: layout.typing.top },
    title: titleOf(state),
  };
}
