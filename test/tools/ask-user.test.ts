import { expect, test } from 'vitest';
import type { Answer, ChoiceQuestion } from '../../messages/questions.js';
import { workbench } from './workbench.js';

interface Asked {
  readonly question: ChoiceQuestion;
  readonly timeoutMs: number | null;
}

function asking(answer: Answer) {
  const asked: Asked[] = [];
  const bench = workbench({
    askUser: (question, timeoutMs, { agent, callId }) => {
      expect([agent, callId]).toEqual(['main', 'main_1_1']);
      asked.push({ question, timeoutMs });
      return Promise.resolve(answer);
    },
  });
  return { bench, asked };
}

const PROMPT = { prompt: 'which?' };

test.each([
  [
    { status: 'selected', index: 2, text: 'b' },
    { status: 'selected', index: 2, text: 'b' },
  ],
  [
    { text: 'B', index: 2, status: 'edited' },
    { status: 'edited', index: 2, text: 'B' },
  ],
  [
    { status: 'free_text', text: 'c' },
    { status: 'free_text', text: 'c' },
  ],
  [{ status: 'skipped' }, { status: 'skipped' }],
  [{ status: 'denied', reason: 'no' }, { status: 'skipped' }],
] as const)('the answer %j comes back as JSON', async (answer, expected) => {
  const { text } = await asking(answer).bench.run('ask_user', PROMPT);
  expect(text).toBe(JSON.stringify(expected));
});

test('where nobody answers, the model is told what to do', async () => {
  const { text } = await asking({ status: 'timed_out' }).bench.run('ask_user', PROMPT);
  expect(JSON.parse(text)).toEqual({
    status: 'timed_out',
    advice:
      'Nobody answered. Decide yourself and say so in your summary, or submit as blocked if you cannot.',
  });
});

test('the question is passed on as it was put', async () => {
  const { bench, asked } = asking({ status: 'skipped' });
  await bench.run('ask_user', PROMPT);
  expect(asked).toEqual([
    {
      question: { kind: 'choice', prompt: 'which?', choices: [], editable: false },
      timeoutMs: null,
    },
  ]);
  const full = { ...PROMPT, choices: ['a', 'b'], editable: true };
  const second = asking({ status: 'skipped' });
  await second.bench.run('ask_user', { ...full, timeout: 90 });
  expect(second.asked).toEqual([{ question: { kind: 'choice', ...full }, timeoutMs: 90_000 }]);
});

test.each([
  [{}, 'prompt'],
  [{ prompt: '' }, 'prompt'],
  [{ prompt: 'x'.repeat(4001) }, 'prompt'],
  [{ ...PROMPT, choices: ['one'] }, 'choices'],
  [{ ...PROMPT, choices: Array.from({ length: 11 }, () => 'x') }, 'choices'],
  [{ ...PROMPT, choices: ['a', ''] }, 'choices.1'],
  [{ ...PROMPT, timeout: 0 }, 'timeout'],
  [{ ...PROMPT, timeout: 86_401 }, 'timeout'],
])('%j does not fit', async (args, where) => {
  const { bench, asked } = asking({ status: 'skipped' });
  const outcome = await bench.run('ask_user', args);
  expect(outcome).toMatchObject({ status: 'failed', reason: 'bad-args' });
  expect([outcome.text.includes(`\n- ${where}: `), asked]).toEqual([true, []]);
});

test('two and ten choices fit', async () => {
  for (const length of [2, 10]) {
    const choices = Array.from({ length }, (_, n) => String(n));
    const { bench } = asking({ status: 'skipped' });
    expect(await bench.run('ask_user', { ...PROMPT, choices })).toMatchObject({ status: 'ok' });
  }
});

test('a cancelled question is cancelled', async () => {
  const cancel = new AbortController();
  const bench = workbench({
    askUser: (_, __, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ status: 'withdrawn' }));
      }),
  });
  const call = bench.run('ask_user', PROMPT, { signal: cancel.signal });
  cancel.abort();
  expect(await call).toMatchObject({ status: 'cancelled' });
});
