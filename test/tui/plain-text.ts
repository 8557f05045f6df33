/** Styled lines without their styles. */
import type { Line } from '../../tui/picture.js';
import { linesOf } from '../../tui/view/log-text.js';
import type { LogView } from '../../tui/view/log-window.js';

export const plainText = (lines: readonly Line[]): string =>
  lines.map((line) => line.map(({ text }) => text).join('')).join('\n');

export const lineCount = (view: LogView): number =>
  view.entries.reduce((sum, entry) => sum + linesOf(entry, view).lines.length, 0);
