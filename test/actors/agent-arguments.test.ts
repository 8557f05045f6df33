import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AgentRun } from '../support/agent-run.js';
import { calls, says } from '../support/scripted-model.js';

async function ask(argumentsText: string): Promise<AgentRun> {
  const run = new AgentRun({ turns: [calls(['shell', argumentsText]), says('done')] }).start();
  await run.end();
  return run;
}

test.each([
  ['cut off', '{"command": "rm -rf bui'],
  ['not JSON', 'rm -rf build'],
  ['a list', '["rm"]'],
  ['a text', '"rm"'],
  ['a number', '7'],
  ['nothing', 'null'],
])('arguments that are %s are answered with an error and never run', async (_, text) => {
  const run = await ask(text);
  expect(run.tools.began).toEqual([]);
  const [assistant] = run.conversation.messages.filter((m) => m.role === 'assistant');
  expect(assistant?.calls).toMatchObject([{ args: {}, invalid: text }]);
  expect(run.conversation.messages.find(({ role }) => role === 'tool')).toMatchObject({
    text: `Error: not a JSON object: ${text}`,
  });
});

test.each(['', '  ', '\n', '{}'])('no arguments at all (%j) are an empty object', async (text) => {
  const run = await ask(text);
  expect(run.tools.began).toMatchObject([{ name: 'shell', args: {} }]);
  expect(run.tools.began[0]).not.toHaveProperty('invalid');
});

test('whatever text a model sends as arguments, the call gets exactly that or is refused', async () => {
  const json = fc.json().map((text) => ({ text }));
  const cut = fc
    .tuple(fc.json(), fc.nat())
    .map(([text, at]) => ({ text: text.slice(0, at % (text.length + 1)) }));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        json,
        cut,
        fc.string().map((text) => ({ text })),
      ),
      async (given) => {
        const { text } = given;
        const run = await ask(text);
        const [began] = run.tools.began;
        if (began === undefined) expect(text.trim()).not.toBe('');
        else if (text.trim() === '') expect(began.args).toEqual({});
        else expect(began.args).toEqual(JSON.parse(text));
        expect(run.errors).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

/** Far deeper than any tool's arguments; a server's answer can easily hold it. */
const DEPTH = 20_000;

test('arguments nested too deep to be written down again are refused like any that make no sense', async () => {
  const run = await ask(`{"command": ${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`);
  expect(run.errors).toEqual([]);
  expect(run.tools.began.length).toBe(0);
  const added = run.journal.ofKind('message.added').map(({ body }) => body.message.role);
  expect(added).toEqual(['assistant', 'assistant']);
});
