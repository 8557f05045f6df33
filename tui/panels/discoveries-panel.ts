/** What the agents found worth keeping; the newest first. */
import { GREY, line, span, type Line, type Size } from '../picture.js';
import { sanitise, sanitiseLine, wrap } from '../text/sanitise.js';
import type { ViewState } from '../view/view-model.js';

export function discoveriesPanel({ snapshot }: ViewState, { width }: Size): readonly Line[] {
  const discoveries = snapshot?.discoveries ?? [];
  if (discoveries.length === 0) return [line('none yet', GREY)];
  return [...discoveries].reverse().flatMap(({ title, description }): Line[] => {
    const titles = wrap(sanitiseLine(title), width - 2);
    const words = sanitise(description).trim();
    return [
      ...titles.map((text, index) => [
        span(index === 0 ? '* ' : '  ', { fg: 'yellow' }),
        span(text),
      ]),
      ...(words === '' ? [] : wrap(words, width - 2).map((text) => line(`  ${text}`, GREY))),
    ];
  });
}
