import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { readKeys, type Input } from '../../../tui/terminal/key-input.js';

function reading(): {
  type: (...chunks: (string | Buffer)[]) => void;
  inputs: Input[];
  stop: () => void;
} {
  const source = new PassThrough();
  const inputs: Input[] = [];
  const stop = readKeys(source, (input) => inputs.push(input));
  return { type: (...chunks) => chunks.forEach((chunk) => source.write(chunk)), inputs, stop };
}

const names = (inputs: readonly Input[]): string[] =>
  inputs.map((input) => (input.type === 'key' ? input.name : `paste:${input.text}`));

test.each([
  ['a', ['a']],
  ['P?/', ['P', '?', '/']],
  [' ', ['space']],
  ['\r', ['enter']],
  ['\n', ['enter']],
  ['\t\x1b[Z', ['tab', 'S-tab']],
  ['\x03\x11\x1a', ['C-c', 'C-q', 'C-z']],
  ['\x7f', ['backspace']],
  ['\x1bOA\x1b[A\x1b[B', ['up', 'up', 'down']],
  ['\x1b[5~\x1b[6~\x1b[H\x1b[F', ['pageup', 'pagedown', 'home', 'end']],
  ['\x1b[1;5D\x1bb', ['C-left', 'M-b']],
  ['\x1b\r', ['M-enter']],
  ['\x1b', ['escape']],
  ['\x1b\x1b', ['escape', 'escape']],
  ['🤖漢', ['🤖', '漢']],
  ['\x1b[200~q\rQ\x1b[201~', ['paste:q\nQ']],
])('%j is understood', async (bytes, expected) => {
  const { type, inputs } = reading();
  type(bytes);
  await vi.waitFor(() => expect(names(inputs)).toEqual(expected));
});

test('keys whose bytes arrive apart are whole', async () => {
  const { type, inputs } = reading();
  type('\x1b', '\r', '\x1b', '[', '5~', Buffer.from([0xe6, 0xbc]), Buffer.from([0xa2]));
  await vi.waitFor(() => expect(names(inputs)).toEqual(['M-enter', 'pageup', '漢']));
});

test('only printable keys carry text', async () => {
  const { type, inputs } = reading();
  type('a \r\x01');
  await vi.waitFor(() => expect(inputs).toHaveLength(4));
  expect(inputs.map((input) => input.text)).toEqual(['a', ' ', '', '']);
});

test('nothing is reported after it was stopped', async () => {
  const { type, inputs, stop } = reading();
  type('a');
  await vi.waitFor(() => expect(names(inputs)).toEqual(['a']));
  stop();
  type('b');
  await new Promise((resolve) => setImmediate(resolve));
  expect(names(inputs)).toEqual(['a']);
});
