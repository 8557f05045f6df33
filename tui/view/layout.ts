/**
 * Who has which part of the terminal. Comfortable from 80×24, usable at 40×12: below a certain size one panel
 * has everything above the bottom line, and Tab changes which.
 */
import { innerSize, type Rect, type Size } from '../picture.js';
import { PANELS, type PanelName, type ViewState } from './view-model.js';

/** Smaller terminals show one panel at a time. */
const WIDE_FROM: Size = { width: 70, height: 18 };
const SIDE_SHARE = 0.4;
const SIDE_WIDTH = { least: 32, most: 56 };
/** Room for the progress panel: its usual lines and the border. */
const PROGRESS_HEIGHT = { least: 12, most: 18 };

export interface Placed {
  readonly name: PanelName;
  readonly rect: Rect;
  readonly framed: boolean;
  /** Room for its lines. */
  readonly inner: Size;
}

export interface Layout {
  readonly panels: readonly Placed[];
  readonly help: Rect;
  readonly helpFramed: boolean;
  /** The line being typed, when there is room for it beside the status. */
  readonly typing: Rect | null;
  readonly status: Rect;
  /** One panel has the whole area, and no border says which. */
  readonly single: boolean;
}

const between = (least: number, value: number, most: number): number =>
  Math.max(least, Math.min(value, most));

function place(name: PanelName, rect: Rect, framed: boolean): Placed {
  return { name, rect, framed, inner: innerSize(rect, framed) };
}

function sideBySide(area: Rect): Placed[] {
  const side = between(SIDE_WIDTH.least, Math.floor(area.width * SIDE_SHARE), SIDE_WIDTH.most);
  const left = area.width - side;
  const { least, most } = PROGRESS_HEIGHT;
  const progress = between(least, Math.floor(area.height * 0.4), most);
  const agents = Math.ceil((area.height - progress) / 2);
  const column = (top: number, height: number): Rect => ({ left, top, width: side, height });
  return [
    place('log', { left: 0, top: 0, width: left, height: area.height }, true),
    place('agents', column(progress, agents), true),
    place('discoveries', column(progress + agents, area.height - progress - agents), true),
    place('progress', column(0, progress), true),
  ];
}

export function layoutOf(state: Pick<ViewState, 'size' | 'focus' | 'zoomed' | 'typing'>): Layout {
  const { width, height } = state.size;
  const wide = width >= WIDE_FROM.width && height >= WIDE_FROM.height;
  const bottom = state.typing !== null && wide ? 2 : 1;
  const area: Rect = { left: 0, top: 0, width, height: Math.max(0, height - bottom) };
  const several = wide && !state.zoomed;
  const row = (fromBottom: number): Rect => ({
    left: 0,
    top: height - fromBottom,
    width,
    height: 1,
  });
  return {
    panels: several ? sideBySide(area) : [place(state.focus, area, false)],
    help: area,
    helpFramed: wide,
    typing: state.typing === null ? null : row(bottom),
    status: row(1),
    single: !several,
  };
}

/** Null: the panel is not on the screen now. */
export const placeOf = (layout: Layout, name: PanelName): Placed | null =>
  layout.panels.find((panel) => panel.name === name) ?? null;

export function neighbour(name: PanelName, by: 1 | -1): PanelName {
  const count = PANELS.length;
  return PANELS[(PANELS.indexOf(name) + by + count) % count] ?? 'log';
}
