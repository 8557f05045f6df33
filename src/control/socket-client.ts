/**
 * One connection to a session, once the socket is open: reads the greeting, matches replies with requests,
 * and passes events on. Everybody who waits on it gets an answer, at the latest when the connection ends.
 */
import type { Socket } from 'node:net';
import type { AgentDelta } from '../../messages/agents.js';
import { Oneshot } from '../../messages/channels/oneshot.js';
import { MAX_LINE_BYTES, PROTOCOL_VERSION } from '../../messages/control.js';
import type {
  ControlArgs,
  ControlEvent,
  ControlReply,
  ControlRequest,
  EventKind,
  Hello,
} from '../../messages/control.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import type { RunResult } from '../../messages/result.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { atMost } from './bounded-wait.js';
import { EventStreams } from './event-streams.js';
import type { Lagged } from './event-streams.js';
import { LineSplitter } from './lines.js';

/** An action is answered within 5 s of its commit; a full disk may make the commit slow. */
const REQUEST_MS = 10_000;
const VANISHED =
  'the connection closed without a word: the session crashed, or this program did not read for too long';
const NOT_UNDERSTOOD = 'the session sent something that is not a line of the control protocol';

type Greeting =
  | { readonly ok: true; readonly hello: Hello }
  | { readonly ok: false; readonly reason: 'protocol' | 'refused'; readonly message: string };

/** No reply: what was asked may have been done or not. */
export interface NoReply {
  readonly ok: false;
  readonly error: { readonly code: 'lost' | 'timeout'; readonly message: string };
}

/** How a connection ended: the session was over, or the connection was. */
export type ConnectionEnd =
  | { readonly kind: 'bye'; readonly result: RunResult | null }
  | { readonly kind: 'lost'; readonly reason: string };

/** Each stream is for one reader; those who read slowly are told what they lost. */
export interface ControlEvents {
  readonly snapshots: AsyncIterable<Snapshot>;
  readonly deltas: AsyncIterable<AgentDelta | Lagged>;
  readonly facts: AsyncIterable<ObservedFact | Lagged>;
  readonly ended: Promise<ConnectionEnd>;
}

type Fields = Readonly<Record<string, unknown>>;

export class SocketClient {
  readonly #socket: Socket;
  readonly #token: string;
  readonly #lines = new LineSplitter(MAX_LINE_BYTES);
  readonly #greeting = new Oneshot<Greeting>();
  readonly #ended = new Oneshot<ConnectionEnd>();
  readonly #replies = new Map<number, Oneshot<ControlReply | NoReply>>();
  readonly #streams = new EventStreams();
  #lastId = 0;

  constructor(socket: Socket, token: string) {
    this.#socket = socket;
    this.#token = token;
    socket.on('error', (error) => this.#end({ kind: 'lost', reason: error.message }));
    socket.on('close', () => this.#end({ kind: 'lost', reason: VANISHED }));
    socket.on('data', (chunk: Buffer) => {
      const { kind, lines } = this.#lines.push(chunk);
      for (const line of lines) this.#line(line);
      if (kind === 'overflow') this.#end({ kind: 'lost', reason: NOT_UNDERSTOOD });
    });
  }

  get greeting(): Promise<Greeting> {
    return this.#greeting.answer;
  }

  async request(args: ControlArgs, timeoutMs = REQUEST_MS): Promise<ControlReply | NoReply> {
    if (this.#ended.settled) return lost(await this.#ended.answer);
    const id = (this.#lastId += 1);
    const reply = new Oneshot<ControlReply | NoReply>();
    this.#replies.set(id, reply);
    const request: ControlRequest = { v: PROTOCOL_VERSION, token: this.#token, id, ...args };
    this.#socket.write(`${JSON.stringify(request)}\n`);
    const answer = await atMost(timeoutMs, reply.answer);
    this.#replies.delete(id);
    return answer ?? tooLate(timeoutMs);
  }

  events(kinds?: readonly EventKind[]): ControlEvents {
    const args = kinds === undefined ? {} : { args: { events: kinds } };
    void this.request({ do: 'subscribe', ...args }).then((reply) => {
      if (!reply.ok) this.#end({ kind: 'lost', reason: reply.error.message });
    });
    const { snapshots, deltas, facts } = this.#streams;
    return { snapshots, deltas, facts, ended: this.#ended.answer };
  }

  close(): void {
    this.#end({ kind: 'lost', reason: 'this program closed the connection' });
  }

  /** The first line is the greeting; what is not known is from a newer version, and is passed over. */
  #line(line: string): void {
    if (this.#ended.settled) return;
    const fields = parse(line);
    if (fields === null) this.#end({ kind: 'lost', reason: NOT_UNDERSTOOD });
    else if (!this.#greeting.settled) this.#greet(fields);
    else if (typeof fields['ev'] === 'string') this.#event(fields as unknown as ControlEvent);
    else if (typeof fields['id'] === 'number')
      this.#replies.get(fields['id'])?.settle(fields as unknown as ControlReply);
  }

  #greet(fields: Fields): void {
    const { v, session, pid } = fields;
    const refuse = (message: string): boolean =>
      this.#greeting.settle({ ok: false, reason: 'protocol', message });
    if (v !== PROTOCOL_VERSION) refuse(otherVersion(v));
    else if (typeof session !== 'string' || typeof pid !== 'number') refuse(NOT_UNDERSTOOD);
    else this.#greeting.settle({ ok: true, hello: fields as unknown as Hello });
  }

  #event(event: ControlEvent): void {
    if (event.ev === 'bye') this.#end({ kind: 'bye', result: event.data.result });
    else this.#streams.take(event);
  }

  #end(end: ConnectionEnd): void {
    if (!this.#ended.settle(end)) return;
    const message = whyEnded(end);
    const reason = message === NOT_UNDERSTOOD ? 'protocol' : 'refused';
    this.#greeting.settle({ ok: false, reason, message });
    for (const reply of this.#replies.values()) reply.settle(lost(end));
    this.#streams.end();
    this.#socket.destroy();
  }
}

const whyEnded = (end: ConnectionEnd): string =>
  end.kind === 'bye' ? 'the session ended before it answered' : end.reason;

const lost = (end: ConnectionEnd): NoReply => ({
  ok: false,
  error: { code: 'lost', message: whyEnded(end) },
});

const tooLate = (timeoutMs: number): NoReply => ({
  ok: false,
  error: { code: 'timeout', message: `the session did not answer within ${timeoutMs} ms` },
});

function otherVersion(theirs: unknown): string {
  if (typeof theirs !== 'number') return NOT_UNDERSTOOD;
  const side =
    theirs > PROTOCOL_VERSION
      ? 'upgrade this program, which is the older one'
      : 'the session runs the older program: stop it and resume it to bring it to this one';
  return `the session speaks version ${theirs} of the control protocol and this program version ${PROTOCOL_VERSION}: ${side}`;
}

function parse(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
