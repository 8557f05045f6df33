/**
 * What the dashboard wants on the terminal, as data: boxes of styled lines, later ones over earlier ones,
 * a cursor and a title. Knows nothing of terminals or of sessions.
 */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Size {
  readonly left: number;
  readonly top: number;
}

/** The eight colours every colour terminal has; `grey` is bright black. */
export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'grey';

export interface Style {
  readonly fg?: Colour;
  readonly bold?: boolean;
  readonly inverse?: boolean;
}

export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One row; what is too long is cut at the box's edge. */
export type Line = readonly Span[];

export interface Frame {
  readonly label: string;
  readonly focused: boolean;
}

export interface Box {
  readonly rect: Rect;
  /** Null: no border, the lines have the whole rectangle. */
  readonly frame: Frame | null;
  readonly lines: readonly Line[];
}

export interface Picture {
  readonly boxes: readonly Box[];
  /** Where the next typed character appears; null: no cursor is shown. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
  readonly title: string;
}

const PLAIN: Style = {};

export const span = (text: string, style: Style = PLAIN): Span => ({ text, style });
export const line = (text: string, style: Style = PLAIN): Line => [span(text, style)];

export const GREY: Style = { fg: 'grey' };

/** Room for lines inside a rectangle. */
export const innerSize = (rect: Rect, framed: boolean): Size =>
  framed
    ? { width: Math.max(0, rect.width - 2), height: Math.max(0, rect.height - 2) }
    : { width: rect.width, height: rect.height };
