/**
 * A model server that says what no server should, in front of an agent's whole loop. The turn ends with one value;
 * each call that was understood gets exactly one result, and every request that follows is valid.
 */
import type { ServerResponse } from 'node:http';
import { AgentRun } from '../../support/agent-run.js';
import {
  clientFor,
  cutInto,
  event,
  EVENT_STREAM,
  sendPieces,
  serve,
  textEvent,
  type Received,
} from '../../model/server.js';
import { isOk, isRefused, type Area, type Row } from '../table.js';

type Send = (response: ServerResponse) => void | Promise<void>;

const streams =
  (...pieces: readonly (string | Uint8Array)[]): Send =>
  (response) =>
    sendPieces(
      response,
      pieces.map((piece) => Buffer.from(piece)),
    );

const called = (...calls: readonly object[]): string =>
  event({ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: 'tool_calls' }] });

const END = 'data: [DONE]\n\n';

/** Answers like this once, and from then on that all is done. */
async function turnAgainst(
  first: Send,
): Promise<{ status: string; received: readonly Received[] }> {
  let answered = 0;
  const server = await serve((response) => {
    answered += 1;
    return (answered === 1 ? first : streams(textEvent('all done', 'stop'), END))(response);
  });
  const run = new AgentRun({ model: clientFor(server.url), setup: { retries: 0 } }).start();
  const { status } = await run.end();
  return { status, received: server.received };
}

interface SentMessage {
  readonly role: string;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

/** Every call has one result, right behind it, under an id that is used once. */
function isValid({ body }: Received): boolean {
  const { messages } = JSON.parse(body) as { messages: readonly SentMessage[] };
  const asked = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
  const answered = messages.flatMap(({ tool_call_id: id }) => id ?? []);
  return new Set(asked).size === asked.length && asked.join() === answered.join();
}

/** It may fail or not. */
const said = (tried: string, send: Send, counterpart: string, harmless: Send): Row => ({
  tried,
  attack: async () => {
    const { status, received } = await turnAgainst(send);
    return ['done', 'model-failed'].includes(status) && received.every(isValid);
  },
  counterpart,
  allowed: async () => {
    const { status, received } = await turnAgainst(harmless);
    return status === 'done' && received.every(isValid);
  },
});

const one = (args: string, more: object = {}): object => ({
  ...{ index: 0, id: 'call_1', type: 'function', function: { name: 'think', arguments: args } },
  ...more,
});

async function endlessLine(response: ServerResponse): Promise<void> {
  response.writeHead(200, EVENT_STREAM);
  response.write('data: ');
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  for (let n = 0; n < 300 && !response.destroyed; n += 1) {
    if (response.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      response.once('drain', resolve).once('close', resolve);
    });
  }
  response.end();
}

const MB = 1024 * 1024;
const hello = streams(textEvent('hello', 'stop'), END);

/** A call as it comes from a model, through the whole way of a call. */
const sent = (
  tried: string,
  tool: string,
  args: unknown,
  counterpart: string,
  good: readonly [string, unknown],
): Row => ({
  tried,
  attack: async ({ ground }) => isRefused(await (await ground()).run(tool, args)),
  counterpart,
  allowed: async ({ ground }) => isOk(await (await ground()).run(...good)),
});

const polluting = JSON.parse('{"thought":"x","__proto__":{"polluted":true}}') as unknown;

export const protocol: Area = {
  area: 'protocol',
  inBoth: false,
  rows: [
    said(
      'arguments of 20 MB',
      streams(
        called(one('x')),
        ...Array.from({ length: 20 }, () => called(one('y'.repeat(MB)))),
        END,
      ),
      'arguments of 100 KB',
      streams(called(one(JSON.stringify({ thought: 'x'.repeat(100_000) }))), END),
    ),
    said(
      '100,000 nested arrays',
      streams(called(one('['.repeat(100_000))), END),
      'five nested arrays',
      streams(called(one('[[[[[]]]]]')), END),
    ),
    said(
      'an event that is 100,000 nested arrays',
      streams(`data: ${'['.repeat(100_000)}\n\n`, END),
      'an event',
      hello,
    ),
    said(
      'a call with __proto__ for a name',
      streams(
        called(one('{}', { function: { name: '__proto__', arguments: '{"__proto__":{"a":1}}' } })),
        END,
      ),
      'a call',
      streams(called(one('{}')), END),
    ),
    said(
      'one id for two calls',
      streams(called(one('{}'), one('{}', { index: 1 })), END),
      'two ids',
      streams(called(one('{}'), one('{}', { index: 1, id: 'call_2' })), END),
    ),
    said(
      'negative and huge indexes',
      streams(called(one('{}', { index: -1 }), one('{}', { index: 4_000_000_000 })), END),
      'indexes',
      streams(called(one('{}')), END),
    ),
    said('an event of 300 MB without an end', endlessLine, 'an event with an end', hello),
    said(
      'one byte at a time',
      (response) =>
        sendPieces(
          response,
          cutInto(Buffer.from(`: x\n\n${textEvent('naïve ✓', 'stop')}${END}`), 1),
        ),
      'all at once',
      hello,
    ),
    said(
      'comments and nothing else',
      streams(...Array.from({ length: 2_000 }, () => ': wait\n\n')),
      'comments first',
      streams(': wait\n\n', textEvent('hello', 'stop'), END),
    ),
    said(
      'bytes that are no text',
      streams(Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0x20, 0xff, 0xfe, 0x0a, 0x0a])),
      'text',
      hello,
    ),
    said(
      'half a character at the end',
      streams(textEvent('\ud83d', 'stop'), END),
      'a whole one',
      streams(textEvent('🙂', 'stop'), END),
    ),
    sent('an unknown tool', 'launch_missiles', {}, 'a known one', ['think', { thought: 'x' }]),
    sent('a tool named like a property', 'constructor', {}, 'its neighbour', [
      'list_dir',
      { path: '.' },
    ]),
    sent('__proto__ in arguments', 'think', polluting, 'plain arguments', [
      'think',
      { thought: 'y' },
    ]),
    sent('arguments of another type', 'shell', 'ls', 'the right type', [
      'shell',
      { command: 'ls' },
    ]),
    sent('a list for arguments', 'read_file', ['notes.txt'], 'an object', [
      'read_file',
      { path: 'notes.txt' },
    ]),
    sent('a number for a path', 'read_file', { path: 7 }, 'a text', [
      'read_file',
      { path: 'notes.txt' },
    ]),
  ],
};
