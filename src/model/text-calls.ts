/**
 * Calls that a model wrote into its answer as text, because its server does not know the model's own form
 * of them: in `<tool_call>` tags, in a fence, or as the whole answer. Only names of tools that were offered
 * count, so that an example in an explanation is rarely taken for a call.
 */
import type { RawToolCall, ToolDefinition } from '../../messages/model.js';
import { isRecord, parseJson, textOf } from './json-shape.js';

interface Found {
  readonly text: string;
  readonly calls: readonly RawToolCall[];
}

/** Where a call may stand. The opening of a fence also has the name of a language, up to the end of its line. */
interface Frame {
  readonly open: string;
  readonly close: string;
  readonly inside: (text: string) => string;
}

const TAGS: Frame = { open: '<tool_call>', close: '</tool_call>', inside: (text) => text };
const FENCE: Frame = {
  open: '```',
  close: '```',
  inside: (text) => text.slice(text.indexOf('\n') + 1),
};

function readCall(text: string, names: ReadonlySet<string>): RawToolCall | null {
  // Most of what stands in fences is no object, and failing to parse it is slow.
  const call = text.trimStart().startsWith('{') ? parseJson(text) : null;
  if (!isRecord(call)) return null;
  const name = textOf(call['name']);
  const given = call['arguments'] ?? call['parameters'];
  if (!names.has(name) || given === undefined) return null;
  const argumentsText = typeof given === 'string' ? given : JSON.stringify(given);
  return { id: '', name, argumentsText };
}

/** Reads a text once, from frame to frame, however many of them are never closed. */
function taken(text: string, { open, close, inside }: Frame, names: ReadonlySet<string>): Found {
  const calls: RawToolCall[] = [];
  const left: string[] = [];
  let at = 0;
  for (;;) {
    const from = text.indexOf(open, at);
    const to = from < 0 ? -1 : text.indexOf(close, from + open.length);
    if (to < 0) break;
    const call = readCall(inside(text.slice(from + open.length, to)), names);
    const end = to + close.length;
    left.push(text.slice(at, call === null ? end : from));
    if (call !== null) calls.push(call);
    at = end;
  }
  return { text: [...left, text.slice(at)].join('').trim(), calls };
}

/** The calls in a text and what is left of it; null: it holds none. */
export function findTextCalls(text: string, tools: readonly ToolDefinition[]): Found | null {
  const names = new Set(tools.map(({ name }) => name));
  const alone = readCall(text, names);
  if (alone !== null) return { text: '', calls: [alone] };
  return (
    [TAGS, FENCE].map((frame) => taken(text, frame, names)).find(({ calls }) => calls.length > 0) ??
    null
  );
}
