/**
 * Reads answers that real servers gave: every `*.sse` and `*.json` in the folder that OURO_RECORDED_ANSWERS
 * names, except requests and lists. A second, naive reading says what must not be lost.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ModelReply } from '../../messages/model.js';
import { ServerFault } from '../../src/model/errors.js';
import { listOf, parseJson, recordOf, textOf } from '../../src/model/json-shape.js';
import { openRouterProtocol } from '../../src/model/openrouter-protocol.js';
import { readCalls } from '../../src/model/read-calls.js';
import { assemble } from './reading.js';
import { cutInto, REQUEST } from './server.js';

const folder = process.env['OURO_RECORDED_ANSWERS'] ?? '';
const isAnswer = (name: string): boolean =>
  /\.(sse|json)$/.test(name) && !/(request|index)\.json$/.test(name);
const names = existsSync(folder) ? readdirSync(folder).filter(isAnswer) : [];

/** All deltas, or the messages of a whole answer, in their order. */
function naively(name: string): readonly unknown[] {
  const text = readFileSync(join(folder, name), 'utf8');
  if (name.endsWith('.json')) return [parseJson(text)];
  return text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => parseJson(line.slice('data:'.length)));
}

function saidIn(chunks: readonly unknown[]) {
  const deltas = chunks
    .map((chunk) => recordOf(listOf(recordOf(chunk)['choices'])[0]))
    .map((choice) => recordOf(choice['delta'] ?? choice['message']));
  const pieces = deltas
    .flatMap((delta) => listOf(delta['tool_calls']))
    .map((call) => recordOf(recordOf(call)['function']));
  return {
    text: deltas.map((delta) => textOf(delta['content'])).join(''),
    letters: pieces.map((piece) => textOf(piece['arguments'])).join('').length,
    names: pieces.map((piece) => textOf(piece['name'])).filter((name) => name !== ''),
    usage: chunks.some(
      (chunk) => recordOf(recordOf(chunk)['usage'])['prompt_tokens'] !== undefined,
    ),
  };
}

async function read(name: string, size: number): Promise<ModelReply | 'refused'> {
  const bytes = readFileSync(join(folder, name));
  try {
    const reply = await assemble(cutInto(bytes, size), openRouterProtocol);
    return await readCalls(reply, REQUEST, {});
  } catch (error) {
    expect(error).toBeInstanceOf(ServerFault);
    return 'refused';
  }
}

test.skipIf(names.length > 0)(
  'set OURO_RECORDED_ANSWERS to a folder of recorded answers to have them read',
  ({ skip }) => skip('OURO_RECORDED_ANSWERS names no folder with *.sse or *.json files'),
);

describe.skipIf(names.length === 0)('the recorded answers', () => {
  test.each(names)('%s is read whole, at every size of the pieces', async (name) => {
    const whole = await read(name, 1_000_000);
    for (const size of [1, 7, 64]) expect(await read(name, size)).toEqual(whole);
    const chunks = naively(name);
    const refused = chunks.some((chunk) => recordOf(chunk)['error'] !== undefined);
    expect(whole === 'refused').toBe(refused);
    if (whole === 'refused') return;
    const said = saidIn(chunks);
    expect(whole.text.startsWith(said.text)).toBe(true);
    expect(whole.calls.map((call) => call.name)).toEqual(said.names);
    const written = whole.calls.map((call) => call.repairedFrom ?? call.argumentsText);
    if (said.letters > 0) expect(written.join('').length).toBe(said.letters);
    for (const { argumentsText } of whole.calls)
      expect(parseJson(argumentsText)).toBeTypeOf('object');
    expect(whole.usage !== null).toBe(said.usage);
    expect(whole.text !== '' || whole.calls.length > 0).toBe(true);
    expect(whole.finish).not.toBe('unstated');
  });
});
