/** What servers and models really send, by name, and what becomes of it. */
import { describe, expect, test } from 'vitest';
import type { ModelOutcome } from '../../messages/model.js';
import { delta, DONE, FINISHED, pieces, said, streamOf } from './chunks.js';
import { askOnce, EVENT_STREAM, serve } from './server.js';

/** What a person would say came back. */
function seen(outcome: ModelOutcome): string {
  if (outcome.status !== 'ok')
    return outcome.status === 'failed' ? outcome.error.kind : 'cancelled';
  const { text, reasoning, calls } = outcome.reply;
  const shown = calls.map(({ name, argumentsText, repairedFrom, cut }) => {
    const mark = cut === true ? ' CUT' : repairedFrom === undefined ? '' : ' repaired';
    return `${name} ${argumentsText}${mark}`;
  });
  const thought = reasoning === '' ? [] : [`(${reasoning})`];
  return [...thought, ...(text === '' ? [] : [text]), ...shown].join(' | ');
}

type Quirk = readonly [name: string, stream: string, seen: string];

const LS = '{"command":"ls"}';
const PWD = '{"command":"pwd"}';

const POSITIONS: readonly Quirk[] = [
  [
    'the id comes with the first piece only, the index with all',
    streamOf(
      pieces({ id: 'a', index: 0, name: 'shell', args: '' }),
      pieces({ index: 0, args: '{"command"' }),
      pieces({ index: 0, args: ':"ls"}' }),
      FINISHED,
    ),
    `shell ${LS}`,
  ],
  [
    'an index and never an id',
    streamOf(
      pieces({ index: 0, name: 'shell', args: '{"command":' }),
      pieces({ index: 1, name: 'shell', args: PWD }),
      pieces({ index: 0, args: '"ls"}' }),
      FINISHED,
    ),
    `shell ${LS} | shell ${PWD}`,
  ],
  [
    'no index at all',
    streamOf(
      pieces({ id: 'a', name: 'shell', args: '{"command":' }),
      pieces({ args: '"ls"}' }),
      pieces({ id: 'b', name: 'think', args: '{}' }),
      FINISHED,
    ),
    `shell ${LS} | think {}`,
  ],
  [
    'index 0 for every call, ids differ',
    streamOf(
      pieces({ id: 'a', index: 0, name: 'shell', args: LS }),
      pieces({ id: 'b', index: 0, name: 'shell', args: PWD }),
      FINISHED,
    ),
    `shell ${LS} | shell ${PWD}`,
  ],
  [
    'the index of a second call collides with that of the first, in pieces',
    streamOf(
      pieces({ id: 'a', index: 0, name: 'shell', args: '{"command":' }),
      pieces({ index: 0, args: '"ls"}' }),
      pieces({ id: 'b', index: 0, name: 'shell', args: '{"command":' }),
      pieces({ index: 0, args: '"pwd"}' }),
      FINISHED,
    ),
    `shell ${LS} | shell ${PWD}`,
  ],
  [
    'the first call has index 1',
    streamOf(
      pieces({ id: 'a', index: 1, name: 'shell', args: '{"command":' }),
      pieces({ index: 1, args: '"ls"}' }),
      FINISHED,
    ),
    `shell ${LS}`,
  ],
  [
    'the id is empty on later pieces',
    streamOf(
      pieces({ id: 'a', index: 0, name: 'shell', args: '{"command":' }),
      pieces({ id: '', index: 0, name: '', args: '"ls"}' }),
      FINISHED,
    ),
    `shell ${LS}`,
  ],
  [
    'the id changes with every piece',
    streamOf(
      pieces({ id: 'shell:0', index: 0, name: 'shell', args: '' }),
      pieces({ id: 'x1', index: 0, name: null, args: '{"command":' }),
      pieces({ id: 'x2', index: 0, name: null, args: '"ls"}' }),
      FINISHED,
    ),
    `shell ${LS}`,
  ],
  [
    'all arguments in one piece',
    streamOf(pieces({ id: 'a', index: 0, name: 'shell', args: LS }), FINISHED),
    `shell ${LS}`,
  ],
  [
    'a name with empty arguments is a call without any',
    streamOf(pieces({ id: 'a', index: 0, name: 'git_status', args: '' }), FINISHED),
    'git_status {}',
  ],
  [
    'a name and no arguments is a call without any',
    streamOf(pieces({ id: 'a', index: 0, name: 'git_status' }), FINISHED),
    'git_status {}',
  ],
  [
    'the name is repeated with every piece',
    streamOf(
      pieces({ index: 0, name: 'shell', args: '{"command":' }),
      pieces({ index: 0, name: 'shell', args: '"ls"}' }),
      FINISHED,
    ),
    `shell ${LS}`,
  ],
  [
    'arguments as an object instead of a text',
    streamOf(pieces({ id: 'a', index: 0, name: 'shell', args: { command: 'ls' } }), FINISHED),
    `shell ${LS}`,
  ],
];

const CONTENT: readonly Quirk[] = [
  ['content is null', streamOf(said(null), said('Hi.'), said(null, 'stop'), DONE), 'Hi.'],
  ['content is empty', streamOf(said(''), said('Hi.'), said('', 'stop'), DONE), 'Hi.'],
  [
    'reasoning in a field of that name',
    streamOf(delta({ reasoning: 'Hm.' }), said('Hi.', 'stop')),
    '(Hm.) | Hi.',
  ],
  [
    'reasoning_content',
    streamOf(delta({ reasoning_content: 'Hm.' }), said('Hi.', 'stop')),
    '(Hm.) | Hi.',
  ],
  [
    'reasoning_details',
    streamOf(
      delta({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }),
      said('Hi.', 'stop'),
    ),
    '(Hm.) | Hi.',
  ],
  [
    'usage in a last chunk without choices',
    streamOf(said('Hi.', 'stop'), { choices: [], usage: { prompt_tokens: 3 } }, DONE),
    'Hi.',
  ],
  [
    'comments as signs of life',
    streamOf(': OPENROUTER PROCESSING\n\n', said('Hi.'), ': still\n\n', said('', 'stop'), DONE),
    'Hi.',
  ],
  [
    'an error inside a stream that had begun well',
    streamOf(said('Hi'), { error: { code: 529, message: 'Overloaded' } }),
    'overloaded',
  ],
  ['no [DONE]', streamOf(said('Hi.'), said('', 'stop')), 'Hi.'],
  ['neither finish_reason nor [DONE]', streamOf(said('Hi')), 'cut'],
  ['an empty message with stop', streamOf(said('', 'stop'), DONE), 'empty'],
  ['reasoning and nothing else', streamOf(delta({ reasoning: 'Hm.' }), said('', 'stop')), 'empty'],
  ['a stream without events', ': nothing\n\n', 'empty'],
  [
    'calls with the finish reason stop',
    streamOf(pieces({ id: 'a', index: 0, name: 'shell', args: LS }), said('', 'stop')),
    `shell ${LS}`,
  ],
  ['the finish reason tool_calls without calls', streamOf(said('Hi.', 'tool_calls'), DONE), 'Hi.'],
];

const written = (args: string, finish = 'tool_calls'): string =>
  streamOf(pieces({ id: 'a', index: 0, name: 'shell', args }), delta({}, finish));

const ARGUMENTS: readonly Quirk[] = [
  ['arguments that are white space', written(' \n'), 'shell {}'],
  ['line breaks between tokens', written('{\n"command"\n:"ls"}\n'), 'shell {\n"command"\n:"ls"}\n'],
  ['escaped line breaks between tokens', written('{\\n"command":"ls"\\n}'), `shell ${LS} repaired`],
  ['a trailing comma', written('{"command":"ls",}'), `shell ${LS} repaired`],
  ['single quotes', written("{'command':'ls'}"), `shell ${LS} repaired`],
  ['names without quotes', written('{command:"ls"}'), `shell ${LS} repaired`],
  [
    'a line break inside a text',
    written('{"command":"l\ns"}'),
    'shell {"command":"l\\ns"} repaired',
  ],
  ['constants of Python', written('{"background":True}'), 'shell {"background":true} repaired'],
  ['a fence around them', written('```json\n{"command":"ls"}\n```'), `shell ${LS} repaired`],
  ['an object written twice', written(LS + LS), `shell ${LS} repaired`],
  ['two different objects', written(LS + PWD), `shell ${LS}${PWD}`],
  ['an object written as a text', written(JSON.stringify(LS)), `shell ${LS} repaired`],
  [
    'a text that ends in the middle',
    written('{"command":"rm -rf bui'),
    'shell {"command":"rm -rf bui CUT',
  ],
  ['a bracket that is never closed', written('{"command":"ls"'), 'shell {"command":"ls" CUT'],
  ['a limit that ends them', written('{"command":"ls",', 'length'), 'shell {"command":"ls", CUT'],
  ['a limit that ends them before they begin', written('', 'length'), 'shell { CUT'],
  ['arguments that are whole although a limit came', written(LS, 'length'), `shell ${LS}`],
  [
    'quotes that could mean two things',
    written('{"command":"echo "a""}'),
    'shell {"command":"echo "a""}',
  ],
];

const read = async (stream: string): Promise<string> => {
  const server = await serve((response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(stream);
  });
  return seen((await askOnce(server.url)).outcome);
};

describe('pieces of calls', () => {
  test.each(POSITIONS)('%s', async (_, stream, expected) => {
    expect(await read(stream)).toBe(expected);
  });
});

describe('what an answer holds', () => {
  test.each(CONTENT)('%s', async (_, stream, expected) => {
    expect(await read(stream)).toBe(expected);
  });
});

describe('arguments of calls', () => {
  test.each(ARGUMENTS)('%s', async (_, stream, expected) => {
    expect(await read(stream)).toBe(expected);
  });
});

describe('ends of lines', () => {
  const stream = streamOf(said('a\u2028b\u2029c\u0085d ✓ 👋🏽'), said('', 'stop'), DONE);
  test.each([
    ['LF', stream],
    ['CRLF', stream.replaceAll('\n', '\r\n')],
    ['CR alone', stream.replaceAll('\n', '\r')],
  ])('%s, and no other character ends one', async (_, text) => {
    expect(await read(text)).toBe('a\u2028b\u2029c\u0085d ✓ 👋🏽');
  });
});
