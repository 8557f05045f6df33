/**
 * Makes JSON of arguments whose syntax is broken, with a library that knows the usual mistakes, and keeps
 * its work only when no word was lost, added or changed. Never completes what was cut off: a completed
 * command would be valid and wrong.
 */
import { readForm } from './arguments-form.js';
import { isRecord, parseJson } from './json-shape.js';
import type { JsonRecord } from './json-shape.js';

export type Arguments =
  /** `changed`: not what the model wrote, letter for letter. */
  | { readonly kind: 'object'; readonly json: string; readonly changed: boolean }
  /** It ends before it is whole. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'broken' };

/** Longer arguments are answered with an error when they are broken: reading them twice takes too long. */
const MAX_REPAIRED = 200_000;

const BROKEN: Arguments = { kind: 'broken' };
/** Closing brackets too many, and what ends a statement elsewhere. */
const STRAY = /^(?:\s|\\[nrt]|[}\];])*$/;

/** Escapes that stand for white space are white space; of others the character counts. */
const unescaped = (text: string): string =>
  text.replace(/\\(u[0-9a-f]{4}|.)/gis, (whole, what: string) => {
    if (what.length > 1) return whole;
    return 'nrtbf'.includes(what) ? '' : what;
  });

/** All that is not syntax, in its order; constants of Python as those of JSON. */
const wordsOf = (text: string): string =>
  unescaped(text)
    .replace(/\b(True|False|None)\b/g, (word) => (word === 'None' ? 'null' : word.toLowerCase()))
    .replace(/[\s{}[\],:"]/g, '');

async function repairedObject(text: string): Promise<JsonRecord | null> {
  const as = parseJson(text);
  if (isRecord(as)) return as;
  const { jsonrepair } = await import('jsonrepair');
  try {
    const json = jsonrepair(text);
    const value = parseJson(json);
    return isRecord(value) && wordsOf(json) === wordsOf(text) ? value : null;
  } catch {
    // It knows no way to read this.
    return null;
  }
}

/** The objects that stand in the text one after the other; models sometimes write theirs twice. */
async function objectsIn(text: string): Promise<readonly JsonRecord[] | Arguments> {
  const found: JsonRecord[] = [];
  for (let rest = text; !STRAY.test(rest);) {
    const form = readForm(rest);
    if (form.kind === 'open') return { kind: 'cut' };
    if (form.kind === 'odd') return BROKEN;
    const object = await repairedObject(form.object);
    if (object === null) return BROKEN;
    found.push(object);
    ({ rest } = form);
  }
  return found;
}

/** Arguments that were written as a text which holds them. */
function unwrapped(text: string): string | null {
  const inner = text.trimStart().startsWith('"') ? parseJson(text) : undefined;
  return typeof inner === 'string' && isRecord(parseJson(inner)) ? inner : null;
}

const FENCE = '```';

/** What stands in a fence; text without one as it is. Its first line names the language. */
function unfenced(text: string): string {
  const trimmed = text.trim();
  const start = trimmed.indexOf('\n');
  const fenced = trimmed.startsWith(FENCE) && trimmed.endsWith(FENCE) && start >= 0;
  return fenced ? trimmed.slice(start, -FENCE.length) : text;
}

/** Must not throw. Empty text is an object without anything in it. */
export async function readArguments(text: string): Promise<Arguments> {
  if (text.trim() === '') return { kind: 'object', json: '{}', changed: false };
  if (isRecord(parseJson(text))) return { kind: 'object', json: text, changed: false };
  if (text.length > MAX_REPAIRED) return BROKEN;
  const inner = unwrapped(text);
  if (inner !== null) return { kind: 'object', json: inner, changed: true };
  const objects = await objectsIn(unfenced(text));
  if ('kind' in objects) return objects;
  const [first] = objects;
  if (first === undefined) return BROKEN;
  const json = JSON.stringify(first);
  const agree = objects.every((object) => JSON.stringify(object) === json);
  return agree ? { kind: 'object', json, changed: true } : BROKEN;
}
