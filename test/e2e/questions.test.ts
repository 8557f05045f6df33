/** Questions to a person: listed, answered from another terminal, or by default where nobody is there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Question } from '../../messages/questions.js';
import { wholeId } from '../support/e2e/background.js';
import { asked, done, ouro } from '../support/e2e/command-line.js';
import { journalRows, rowsOf } from '../support/e2e/journal.js';
import { call, FINISHED, scenarioFile, shell, type TurnFile } from '../support/e2e/model-server.js';
import { killQuietly, newPlace, processesOf, type Place } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';
import { linesOf, resultOf, streamLines } from '../support/e2e/stream.js';

type OpenQuestion = Question & { readonly session: string };

const COLOUR = call('ask_user', { prompt: 'Which colour?', choices: ['red', 'green'] });
const LAST: TurnFile = { text: FINISHED };
const turnsOf = (...calls: readonly ReturnType<typeof call>[]): TurnFile[] => [
  ...calls.map((only) => ({ calls: [only] })),
  LAST,
];

const startWith = async (
  place: Place,
  ...calls: readonly ReturnType<typeof call>[]
): Promise<string> =>
  // In a sandbox no command would ask.
  (
    await done(place, [
      ...['rehearse', scenarioFile(place, turnsOf(...calls)), '--bg', '--sandbox', 'off'],
    ])
  ).stdout.trim();

async function openQuestions(place: Place): Promise<readonly OpenQuestion[]> {
  const { code, data } = await asked(place, ['questions']);
  expect(code).toBe(0);
  expect(data).toMatchObject({ v: 1, ok: true });
  return (data as unknown as { questions: readonly OpenQuestion[] }).questions;
}

const opens = (place: Place, id: string): Promise<OpenQuestion> =>
  eventually(`question ${id}`, async () =>
    (await openQuestions(place)).find((question) => question.id === id),
  );

const outcomes = (place: Place, id: string): readonly { status: string; text: string }[] =>
  rowsOf(journalRows(place, wholeId(place, id)), 'tool.outcome').map(({ body }) => body.outcome);

test('a choice is listed, takes only what is offered, and its answer reaches the agent', async () => {
  const place = newPlace();
  const id = await startWith(place, COLOUR);
  const question = await opens(place, 'q1');
  expect(question).toMatchObject({
    session: wholeId(place, id),
    agent: 'main',
    body: { kind: 'choice', prompt: 'Which colour?', choices: ['red', 'green'] },
  });
  const listed = (await done(place, ['questions'])).stdout;
  for (const text of [`${id}/q1`, 'Which colour?', '1. red', '2. green', `ouro answer ${id}/q1 N`])
    expect(listed).toContain(text);

  const wrong = await ouro(place, ['answer', 'q1', '3']);
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toContain('choices 1 to 2');
  const wrongKind = await asked(place, ['approve', 'q1']);
  expect(wrongKind).toMatchObject({ code: 1, data: { ok: false } });
  expect(wrongKind.data.error?.message).toContain('ouro answer q1');
  const unknown = await asked(place, ['answer', `${id}/q9`, '1']);
  expect(unknown).toMatchObject({ code: 1, data: { ok: false } });
  expect((await ouro(place, ['answer', 'the first', '1'])).code).toBe(2);

  const right = await asked(place, ['answer', `${id}/q1`, '2']);
  expect(right).toMatchObject({ code: 0, data: { ok: true, sessions: [{ changed: true }] } });
  expect((await ouro(place, ['wait', id])).code).toBe(0);
  expect(JSON.parse(outcomes(place, id)[0]?.text ?? '')).toEqual({
    status: 'selected',
    index: 1,
    text: 'green',
  });
  expect((await done(place, ['questions'])).stdout).toContain('no question is open');
});

test('what is approved for the session is not asked again; what is denied is not run', async () => {
  const place = newPlace();
  const id = await startWith(
    place,
    shell('touch a'),
    shell('touch a'),
    shell('touch b'),
    shell('touch c'),
  );
  const first = await opens(place, 'q1');
  expect(first.body).toMatchObject({ kind: 'approval', tool: 'shell', subject: 'touch a' });
  expect((await done(place, ['questions'])).stdout).toContain(`ouro approve ${id}/q1`);
  expect(existsSync(join(place.workspace, 'a')), 'not before it is allowed').toBe(false);
  expect((await ouro(place, ['answer', 'q1', '1'])).code, 'an approval is no choice').toBe(1);
  expect(await asked(place, ['approve', 'q1', '--session'])).toMatchObject({
    code: 0,
    data: { ok: true, sessions: [{ changed: true }] },
  });

  expect((await opens(place, 'q2')).body).toMatchObject({ subject: 'touch b' });
  const late = await ouro(place, ['approve', 'q1']);
  expect(late.code).toBe(1);
  expect(late.stderr).toContain('q1 is closed: approved');
  const denied = await asked(place, ['deny', 'q2', 'b is not yours']);
  expect(denied).toMatchObject({ code: 0, data: { ok: true } });
  expect((await opens(place, 'q3')).body).toMatchObject({ subject: 'touch c' });
  expect((await done(place, ['approve', `${id}/q3`])).stdout).toContain('q3: approved');

  await ouro(place, ['wait', id]);
  const results = outcomes(place, id);
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'denied', 'ok']);
  expect(results[2]?.text).toContain('b is not yours');
  const made = ['a', 'b', 'c'].filter((name) => existsSync(join(place.workspace, name)));
  expect(made).toEqual(['a', 'c']);
});

test('without anybody there a question is answered by default at once', async () => {
  const place = newPlace();
  const file = scenarioFile(place, turnsOf(COLOUR));
  const { code, stdout } = await ouro(place, ['rehearse', file, '--output-format', 'stream-json']);
  expect(code).toBe(0);
  const [result] = linesOf(streamLines(stdout), 'tool_result');
  expect(JSON.parse(result?.text ?? '')).toMatchObject({ status: 'timed_out' });
});

test.each([
  ['a choice', COLOUR],
  ['an approval', shell('touch a')],
])('where no question may come up, %s ends the run with a code of its own', async (_, only) => {
  const place = newPlace();
  const flags = ['--on-question', 'fail', '--sandbox', 'off'];
  const args = ['rehearse', scenarioFile(place, turnsOf(only)), ...flags];
  const { code, stdout } = await ouro(place, [...args, '--output-format', 'json']);
  expect(code).toBe(43);
  expect(resultOf(stdout)).toMatchObject({ status: 'needs_input', is_error: true });
  expect(existsSync(join(place.workspace, 'a'))).toBe(false);
});

test('a question outlives the process that asked it, under a new number', async () => {
  const place = newPlace();
  const id = await startWith(place, COLOUR);
  await opens(place, 'q1');
  const daemons = processesOf(place).filter(({ commandLine }) => commandLine.includes('__daemon'));
  // With the guardian that would start it again.
  expect(daemons.filter(({ pid }) => killQuietly(pid)).length).toBeGreaterThan(0);
  await eventually('its end', () => processesOf(place).length === 0);
  expect(await openQuestions(place)).toEqual([]);

  await done(place, ['resume', id]);
  expect((await opens(place, 'q2')).body).toMatchObject({ prompt: 'Which colour?' });
  expect((await openQuestions(place)).map((question) => question.id)).toEqual(['q2']);
  const old = await ouro(place, ['answer', `${id}/q1`, '1']);
  expect(old.code).toBe(1);
  expect(old.stderr).toContain('q1 is closed');
  await done(place, ['answer', `${id}/q2`, 'red']);
  expect((await ouro(place, ['wait', id])).code).toBe(0);
});
