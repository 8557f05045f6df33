/** Server-sent events whose data are JSON, and JSON objects one a line. Bounded by whoever cuts the bytes. */
import { parseJson } from './json-shape.js';

function parsed(data: string): unknown {
  const value = parseJson(data);
  if (value === undefined) throw new SyntaxError('an event is not JSON');
  return value;
}

/** The data of an event, one line each, or nothing: comments and names mean nothing here. */
const dataOf = (line: string): string[] =>
  line.startsWith('data:') ? [line.slice('data:'.length).replace(/^ /, '')] : [];

const isDone = (data: string): boolean => data === '' || data === '[DONE]';

/** Lines end with LF, CR or both, also where the two come apart. */
export async function* jsonEvents(response: Response): AsyncGenerator {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let held = '';
  let data: string[] = [];
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    const text = held + decoder.decode(piece, { stream: true });
    // A CR at the end may be the first half of a line ending.
    const whole = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, whole).split(/\r\n|\n|\r/);
    held = (lines.pop() ?? '') + text.slice(whole);
    for (const line of lines) {
      if (line !== '') data.push(...dataOf(line));
      else {
        const event = data.join('\n');
        data = [];
        if (!isDone(event)) yield parsed(event);
      }
    }
  }
  data.push(...dataOf(held.trim()));
  const last = data.join('\n');
  if (!isDone(last)) yield parsed(last);
}

/** Split on LF alone: other characters that end a line elsewhere may stand inside a text. */
export async function* jsonLines(lines: AsyncIterable<Uint8Array>): AsyncGenerator {
  const decoder = new TextDecoder();
  let held: string[] = [];
  for await (const piece of lines) {
    const [first = '', ...rest] = decoder.decode(piece, { stream: true }).split('\n');
    held.push(first);
    for (const next of rest) {
      const line = held.join('').trim();
      held = [next];
      if (line !== '') yield parsed(line);
    }
  }
  const line = held.join('').trim();
  if (line !== '') yield parsed(line);
}
