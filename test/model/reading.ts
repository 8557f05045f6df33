/** Reads the bytes of an answer as the client does, without a network between them. */
import { Stream } from 'openai/streaming';
import type { ModelReply } from '../../messages/model.js';
import { readAnswer } from '../../src/model/answer.js';
import { EMPTY_REPLY, finish } from '../../src/model/assemble.js';
import type { ReplyInProgress } from '../../src/model/assemble.js';
import { jsonEvents } from '../../src/model/event-stream.js';
import type { JsonRecord } from '../../src/model/json-shape.js';
import { openAiProtocol } from '../../src/model/openai-protocol.js';
import type { Protocol } from '../../src/model/protocol.js';

export async function assembled(
  pieces: Iterable<Uint8Array>,
  protocol: Protocol = openAiProtocol,
): Promise<ReplyInProgress> {
  const response = new Response(ReadableStream.from(pieces));
  const viaSdk = protocol.metadata.travel === 'sdk';
  const answer = readAnswer(response, new AbortController(), {
    ...protocol.metadata,
    readEvents: viaSdk
      ? (framed, controller) => Stream.fromSSEResponse(framed, controller)
      : jsonEvents,
  });
  let state = EMPTY_REPLY;
  for await (const chunk of answer.chunks) {
    state = answer.isWhole()
      ? protocol.parseResponse(chunk as JsonRecord)
      : protocol.parseStreamEvent(state, chunk);
    if (state.ended) break;
  }
  return state;
}

export const assemble = async (
  pieces: Iterable<Uint8Array>,
  protocol: Protocol = openAiProtocol,
): Promise<ModelReply> => finish(await assembled(pieces, protocol));

export function* cutAt(bytes: Buffer, cuts: readonly number[]): Generator<Uint8Array> {
  const ordered = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...ordered, bytes.length]) {
    yield bytes.subarray(from, to);
    from = to;
  }
}
