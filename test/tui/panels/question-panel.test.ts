import { expect, test } from 'vitest';
import type { Question } from '../../../messages/questions.js';
import { questionPanel } from '../../../tui/panels/question-panel.js';
import { EMPTY_LINE, editorWith } from '../../../tui/view/line-editor.js';
import type { OpenModal } from '../../../tui/view/view-model.js';
import { START } from '../example-session.js';
import { plainText } from '../plain-text.js';
import { approval, choice, question } from '../question-samples.js';

const SIZE = { width: 50, height: 20 };

const modal = (asked: Question, changes: Partial<OpenModal> = {}): OpenModal => ({
  question: asked,
  openedAt: START,
  choice: 0,
  draft: null,
  ...changes,
});

const shown = (open: OpenModal, laterMs = 0, size = SIZE): string =>
  plainText(questionPanel(open, START + laterMs, size));

test('an approval shows the command, the rule that left it open, and its keys', () => {
  expect(shown(modal(approval('q1'))).split('\n')).toEqual([
    'May it run shell?',
    'rm -rf x',
    'rule: not-allowed',
    '',
    'y allow · a allow for this session · n deny · Esc later',
  ]);
});

test('characters that hide in a command are spelled out', () => {
  const text = shown(modal(approval('q1', 'rm \u202efdp.x\u200b 🎉 \x1b[2K')));
  expect(text).toContain('rm \\u{202e}fdp.x\\u{200b} \\u{1f389}');
  expect(text).not.toMatch(/[\u202e\u200b\x1b]/);
});

test('a command of several lines shows where they end, and nothing of a long one is cut off', () => {
  const command = `echo ${'a'.repeat(120)}\nrm -rf x`;
  const text = shown(modal(approval('q1', command))).replaceAll('\n', '');
  expect(text).toContain('a'.repeat(120));
  expect(text).toContain('⏎rm -rf x');
});

test('time that is left counts down, and where there is no end none is shown', () => {
  const open = modal(approval('q1', 'rm x', START + 90_000));
  expect(shown(open)).toContain('1m 30s left');
  expect(shown(open, 89_500)).toContain('1s left');
  expect(shown(open, 95_000)).toContain('0s left');
  expect(shown(modal(approval('q1')))).not.toContain('left');
});

test('choices are numbered, and the one under the cursor stands out', () => {
  const lines = questionPanel(modal(choice('q1'), { choice: 1 }), START, SIZE);
  expect(plainText(lines).split('\n')).toEqual([
    'Which colour?',
    '1. red',
    '2. green',
    '3. blue',
    '',
    'Enter or number choose · s skip · Esc later',
  ]);
  const marked = lines.flat().filter(({ style }) => style.inverse === true);
  expect(marked.map(({ text }) => text)).toEqual(['2. green']);
});

test('the keys say when a choice may be changed, and when text is asked for', () => {
  expect(shown(modal(choice('q1', ['red'], true)))).toContain('e edit');
  const changing = modal(choice('q1', ['red'], true), { draft: editorWith('reddish') });
  expect(shown(changing)).toContain('> reddish');
  expect(shown(changing)).toContain('Enter answers · Esc later');
  const free = modal(choice('q1', []), { draft: EMPTY_LINE });
  expect(shown(free)).toContain('Enter answers · Esc later');
  expect(shown(free)).not.toContain('1.');
});

test('what an agent asks cannot reach the terminal as control characters', () => {
  const body = { kind: 'choice', prompt: 'go\x1b[2Jon?', choices: ['\x07yes'], editable: false };
  const text = shown(modal(question('q1', body as Question['body'])));
  expect(text).toContain('goon?\n1. yes');
});
