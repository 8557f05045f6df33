/** Every key and what it does, from the key table. */
import { BINDINGS, MESSAGE_KEYS } from '../view/key-table.js';
import { line, span, type Line, type Size } from '../picture.js';
import { wrap } from '../text/sanitise.js';
import type { DashboardMode } from '../view/view-model.js';

const KEY_WIDTH = 11;

function keyLines(shown: string, help: string, width: number): Line[] {
  return wrap(help, width - KEY_WIDTH).map((text, index) => [
    span((index === 0 ? shown : '').padEnd(KEY_WIDTH), { fg: 'cyan', bold: true }),
    span(text),
  ]);
}

const TWICE: Readonly<Record<DashboardMode, string>> = {
  run: 'Ctrl+C again within 2 s stops the session and exits with 130.',
  attach: 'Ctrl+C again within 2 s leaves; the session goes on.',
};

export function helpPanel(mode: DashboardMode, { width }: Size): readonly Line[] {
  const head = (text: string): Line => line(text, { bold: true });
  return [
    head('Keys'),
    ...BINDINGS.flatMap(({ shown, help }) => keyLines(shown, help, width)),
    ...wrap(TWICE[mode], width).map((text) => line(text)),
    [],
    head('While typing to the agent'),
    ...Object.values(MESSAGE_KEYS).flatMap(({ shown, help }) => keyLines(shown, help, width)),
  ];
}
