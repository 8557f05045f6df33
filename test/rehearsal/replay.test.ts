import { expect, test } from 'vitest';
import fc from 'fast-check';
import { Conversation, post, serverFor, turns, user } from './scripted-conversation.js';
import type { WireError } from './scripted-conversation.js';

const say = (text: string, more = ''): string => `[[turn]]\ntext = "${text}"\n${more}\n`;
const call = (name: string, arg: string, more = ''): string =>
  `[[turn]]\ncalls = [{ name = "${name}", args = { a = "${arg}" } }]\n${more}\n`;

test('turns without conditions answer one after the other, each as often as it may', async () => {
  const scenario = turns(call('t', 'one {{round}}', 'times = 2') + call('t', 'two') + say('end'));
  const chat = new Conversation(await serverFor(scenario));
  expect(await chat.round()).toBe('{"a":"one 1"}');
  expect(await chat.round()).toBe('{"a":"one 2"}');
  expect(await chat.round()).toBe('{"a":"two"}');
  expect(await chat.round()).toBe('end');
});

test('a turn answers only where all its conditions hold', async () => {
  const scenario = turns(
    say('third', 'when = { round = 3 }') +
      say('sub one', 'when = { agent = "sub-1" }') +
      say('any sub', 'when = { agent = "sub" }') +
      say('after grep, found', 'when = { last_tool = "grep", contains = "/fo+und/i" }') +
      say('after grep', 'when = { last_tool = "grep" }') +
      call('grep', 'x'),
  );
  const server = await serverFor(scenario);
  const main = new Conversation(server);
  expect(await main.round('nothing')).toBe('{"a":"x"}');
  expect(await main.round()).toBe('after grep');
  expect(await main.round()).toBe('third');
  const other = new Conversation(server, 'Another goal.');
  expect(await other.round('FOOUND')).toBe('{"a":"x"}');
  expect(await other.round()).toBe('after grep, found');
  expect(await new Conversation(server, 'go', 'sub-1').round()).toBe('sub one');
  expect(await new Conversation(server, 'go', 'sub-2').round()).toBe('any sub');
});

test('a condition on words hears every result of the round, and what a person says in between', async () => {
  const scenario = turns(
    `[[turn]]\ncalls = [{ name = "a" }, { name = "b" }]\n` +
      say('heard the first', 'when = { contains = "needle" }') +
      say('heard you', 'when = { contains = "please stop" }') +
      say('heard nothing'),
  );
  const chat = new Conversation(await serverFor(scenario));
  const asked = await chat.ask();
  const [first, second] = asked.tool_calls ?? [];
  if (first === undefined || second === undefined) throw new Error('two calls expected');
  chat.answer(first, 'a needle');
  chat.answer(second, 'hay');
  expect(await chat.round()).toBe('heard the first');
  chat.messages.push(user('go on'));
  expect(await chat.round()).toBe('heard nothing');
  chat.messages.push(user('please stop'));
  expect(await chat.round()).toBe('heard you');
});

test('no turn left is a 400 that names the nearest one and what was missing', async () => {
  const scenario = turns(
    say('a', 'when = { agent = "sub", round = 7 }') + call('t', 'x', 'when = { round = 2 }'),
  );
  const response = await post(await serverFor(scenario), [user('hi')]);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as WireError;
  expect(error.code).toBe('no_matching_turn');
  expect(error.message).toMatch(
    /"test" has no turn .*agent main, round 1, last tool none.* turn 2 \(t\): round is 1, not 2\./,
  );
});

test('when everything was said, the 400 says that all turns are used up', async () => {
  const chat = new Conversation(await serverFor(turns(say('only'))));
  await chat.round();
  await expect(chat.ask()).rejects.toThrow(/All 1 turns are used up/);
});

test('results are captured from the conversation', async () => {
  const scenario = turns(
    call('shell', 'x', 'times = 2') +
      say(
        '{{result.shell.exit: (\\\\d+)}} {{result.shell.^b.*$}} {{count.shell.^b}} {{result.grep||no grep}} {{result.shell.old{2}}}',
      ),
  );
  const chat = new Conversation(await serverFor(scenario));
  await chat.round('[exit: 1]\noldd');
  await chat.round('[exit: 0]\nbb\nb');
  expect(await chat.round()).toBe('0 bb 2 no grep oldd');
});

test('a result that is not there is a 400 that names the turn and the placeholder', async () => {
  const chat = new Conversation(await serverFor(turns(say('{{result.grep.(x)}}'))));
  await expect(chat.ask()).rejects.toThrow(/400: .*turn 1: .*\{\{result\.grep\.\(x\)\}\}/);
});

test('captured text is data: it can neither break the arguments nor become a placeholder', async () => {
  const scenario = turns(call('a', 'x') + call('b', '{{result.a}}'));
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const chat = new Conversation(await serverFor(scenario), 'Again.');
      await chat.round(text);
      expect(JSON.parse(await chat.round())).toEqual({ a: text });
      await chat.server.close();
    }),
    { numRuns: 25 },
  );
});

test('a server that is started again in the middle goes on at the right turn', async () => {
  const scenario = turns(
    call('t', 'one {{round}}', 'times = 3') +
      call('t', 'odd', 'when = { contains = "/odd/" }\ntimes = 2') +
      call('t', 'two') +
      call('u', 'three', 'times = 2') +
      say('end'),
  );
  const script = ['ok', 'odd', 'ok', 'odd', 'ok', 'odd', 'ok', 'ok', 'ok'];
  const play = async (restartAt: number): Promise<string[]> => {
    const chat = new Conversation(await serverFor(scenario));
    const said: string[] = [];
    for (const [index, result] of script.entries()) {
      if (index === restartAt) {
        await chat.server.close();
        chat.server = await serverFor(scenario);
      }
      said.push(await chat.round(result));
    }
    return said;
  };
  const uninterrupted = await play(-1);
  expect(uninterrupted.at(-1)).toBe('end');
  for (const at of script.keys()) expect(await play(at)).toEqual(uninterrupted);
});

test('a shortened history still shows which turns were used', async () => {
  const scenario = turns(
    call('grep', 'x') +
      call('read', 'y', 'when = { contains = "found" }') +
      call('list', 'z', 'when = { contains = "found" }') +
      say('end'),
  );
  const chat = new Conversation(await serverFor(scenario));
  await chat.round('found it');
  await chat.round('found it');
  for (const message of chat.messages) {
    if (message.role === 'tool') message.content = '[Cleared]';
  }
  chat.messages.push(user('found'));
  expect(await chat.round()).toBe('{"a":"z"}');
  expect(await chat.round()).toBe('end');
});

test('an answer that was sent but never kept is given again', async () => {
  const chat = new Conversation(await serverFor(turns(say('first') + say('second'))));
  expect(await chat.round()).toBe('first');
  chat.messages.pop();
  expect(await chat.round()).toBe('first');
  expect(await chat.round()).toBe('second');
});

test('two thousand rounds are answered with the right turn each', async () => {
  const scenario = turns(call('t', '{{round}}', 'times = 2000') + say('end'));
  const chat = new Conversation(await serverFor(scenario));
  for (let round = 1; round <= 2000; round += 1) {
    const id = `call_1_${round}_1`;
    const asked = { id, type: 'function', function: { name: 't', arguments: '{}' } } as const;
    chat.messages.push({ role: 'assistant', content: null, tool_calls: [{ ...asked }] });
    chat.answer(asked, 'ok');
    if (round === 1999) expect(await chat.round()).toBe('{"a":"2000"}');
    if (round === 1999) chat.messages.splice(-2);
  }
  expect(await chat.round()).toBe('end');
});
