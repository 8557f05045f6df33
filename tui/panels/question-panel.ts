/** The question in front: what is asked, by whom, how long there is, and the keys that answer it. */
import type { Millis } from '../../messages/ids.js';
import { GREY, line, span, type Line, type Size } from '../picture.js';
import { reveal, sanitise, wrap } from '../text/sanitise.js';
import { countdown } from '../view/amounts.js';
import { visiblePart } from '../view/line-editor.js';
import type { OpenModal } from '../view/view-model.js';

const KEYS = {
  approval: 'y allow · a allow for this session · n deny · Esc later',
  choice: 'Enter or number choose · s skip · Esc later',
  editable: 'Enter or number choose · e edit · s skip · Esc later',
  text: 'Enter answers · Esc later',
} as const;

export function questionPanel(modal: OpenModal, now: Millis, { width }: Size): readonly Line[] {
  const { body, until } = modal.question;
  const left = until === null ? [] : [line(`${countdown(until, now)} left`, GREY)];
  if (body.kind === 'approval') {
    return [
      ...wrap(`May it run ${body.tool}?`, width).map((text) => line(text, { bold: true })),
      // Judged by what it really is: hidden characters are spelled out.
      ...wrap(reveal(body.subject), width).map((text) => line(text, { fg: 'yellow' })),
      ...wrap(`rule: ${sanitise(body.rule)}`, width).map((text) => line(text, GREY)),
      [],
      line(KEYS.approval, { fg: 'cyan' }),
      ...left,
    ];
  }
  const keys = modal.draft !== null ? KEYS.text : body.editable ? KEYS.editable : KEYS.choice;
  return [
    ...wrap(sanitise(body.prompt), width).map((text) => line(text, { bold: true })),
    ...body.choices.flatMap((choice, i) => choiceLines(modal, choice, i, width)),
    ...(modal.draft === null ? [] : [draftLine(modal.draft, width)]),
    [],
    line(keys, { fg: 'cyan' }),
    ...left,
  ];
}

function choiceLines({ choice: at, draft }: OpenModal, choice: string, i: number, width: number) {
  const style = i === at && draft === null ? { inverse: true } : {};
  return wrap(`${i + 1}. ${sanitise(choice)}`, width).map((text): Line => [span(text, style)]);
}

const draftLine = (draft: NonNullable<OpenModal['draft']>, width: number): Line => [
  span('> ', { fg: 'cyan', bold: true }),
  span(visiblePart(draft, width - 3).text),
  span(' ', { inverse: true }),
];
