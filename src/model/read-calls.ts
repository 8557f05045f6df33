/** The calls of a whole reply in a form that can be parsed, or marked as cut off where they are. */
import type { ModelReply, ModelRequest, RawToolCall } from '../../messages/model.js';
import { isRecord, parseJson } from './json-shape.js';
import { readArguments } from './repair-arguments.js';
import type { EndpointSettings } from './settings.js';
import { findTextCalls } from './text-calls.js';

const UNREAD_CALL =
  'The model wrote a tool call as text into its answer, which its server should have told apart. If it keeps doing so, set text_calls = true for this endpoint in the configuration.';

const CUTTING: readonly ModelReply['finish'][] = ['length', 'filtered'];

async function readCall(call: RawToolCall, mayBeCut: boolean): Promise<RawToolCall> {
  const { argumentsText } = call;
  if (isRecord(parseJson(argumentsText))) return call;
  // What a limit ended is never mended, even where it looks as if it could be.
  if (mayBeCut) return { ...call, cut: true };
  const read = await readArguments(argumentsText);
  switch (read.kind) {
    case 'object':
      return { ...call, argumentsText: read.json, repairedFrom: argumentsText };
    case 'cut':
      return { ...call, cut: true };
    case 'broken':
      return call;
  }
}

/** Must not throw. */
export async function readCalls(
  reply: ModelReply,
  { tools }: ModelRequest,
  { textCalls }: EndpointSettings,
): Promise<ModelReply> {
  const found = reply.calls.length === 0 ? findTextCalls(reply.text, tools) : null;
  if (found !== null && textCalls !== true) return { ...reply, notices: [UNREAD_CALL] };
  const said: ModelReply = found === null ? reply : { ...reply, ...found };
  if (said.calls.length === 0) return said;
  const cutting = CUTTING.includes(said.finish);
  const last = said.calls.length - 1;
  const calls = await Promise.all(
    said.calls.map((call, at) => readCall(call, cutting && at === last)),
  );
  return { ...said, calls, finish: cutting ? said.finish : 'calls' };
}
