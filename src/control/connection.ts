/**
 * One client of the server: reads its requests one at a time, so that replies come in the order of the
 * requests, and answers each when it was done. Ends by itself when the client goes, says something that
 * cannot be trusted, or does not read; nothing of it stays behind.
 */
import type { Socket } from 'node:net';
import type { ActionRequest, ActionResult } from '../../messages/actions.js';
import { MAX_LINE_BYTES } from '../../messages/control.js';
import type { ControlArgs, EventKind, Pulsed } from '../../messages/control.js';
import type { RunResult } from '../../messages/result.js';
import { atMost } from './bounded-wait.js';
import { Feed } from './feed.js';
import type { SharedEvent, SnapshotSource } from './feed.js';
import { LineSplitter } from './lines.js';
import type { Split } from './lines.js';
import { Outgoing } from './outgoing.js';
import { actionOf, NO_ID, readArgs, readEnvelope } from './requests.js';
import type { Refusal } from './requests.js';
import { byeLine, refusalLine, replyLine } from './server-lines.js';

/** For replies and events still under way when the session ends; half of what the whole farewell may take. */
const LAST_WORDS_MS = 250;
const STOPPING = {
  kind: 'refused',
  code: 'stopping',
  message: 'the session is stopping',
} as const;
const WRONG_TOKEN = {
  kind: 'refused',
  code: 'unauthorised',
  message: 'the token is not the one of this session: read the file beside the socket again',
} as const;

/** Whether the session works; `unreadable`: why its journal cannot be read, null: it is ending. */
export type Pulse =
  ({ readonly ok: true } & Pulsed) | { readonly ok: false; readonly unreadable: string | null };

/** What a connection needs of the server. */
export interface Host {
  readonly hello: string;
  readonly stallMs: number;
  readonly snapshots: SnapshotSource & { reply(id: number): string | null };
  accepts(token: string): boolean;
  act(action: ActionRequest): Promise<ActionResult>;
  pulse(): Promise<Pulse>;
}

export class Connection {
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #host: Host;
  readonly #out: Outgoing;
  readonly #lines = new LineSplitter(MAX_LINE_BYTES);
  #feed: Feed | null = null;
  #answering: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(socket: Socket, host: Host) {
    this.#socket = socket;
    this.#host = host;
    this.#out = new Outgoing(socket, host.stallMs);
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#feed?.close();
        resolve();
      });
    });
    // A client that went is no fault of ours; 'close' follows.
    socket.on('error', () => socket.destroy());
    socket.on('end', () => this.#out.end());
    socket.on('data', (chunk: Buffer) => {
      socket.pause();
      this.#answering = this.#answerAll(this.#lines.push(chunk));
    });
    this.#out.send(host.hello);
  }

  event(event: SharedEvent): void {
    this.#feed?.event(event);
  }

  snapshotChanged(): void {
    this.#feed?.snapshotChanged();
  }

  /** Sends what waits, then `bye`. Resolves when the client has closed. */
  async finish(result: RunResult | null): Promise<void> {
    this.#stopping = true;
    await atMost(LAST_WORDS_MS, Promise.all([this.#answering, this.#feed?.finish()]));
    this.#out.send(byeLine(result));
    this.#out.end();
    await this.closed;
  }

  drop(): void {
    this.#socket.destroy();
  }

  async #answerAll({ kind, lines }: Split): Promise<void> {
    for (const line of lines) {
      if (this.#out.ended) return;
      await this.#answer(line);
    }
    if (kind === 'overflow') {
      this.#out.send(
        refusalLine(NO_ID, 'bad_request', `a line must not exceed ${MAX_LINE_BYTES} bytes`),
      );
      this.#out.endAndClose();
    } else {
      this.#socket.resume();
    }
  }

  async #answer(line: string): Promise<void> {
    const request = this.#read(line);
    if (request.kind === 'refused') this.#refuse(request);
    else await this.#serve(request.id, request.args);
  }

  #read(line: string): { kind: 'request'; id: number; args: ControlArgs } | Refusal {
    const envelope = readEnvelope(line);
    if (envelope.kind === 'refused') return envelope;
    const { id } = envelope;
    if (!this.#host.accepts(envelope.token)) return { ...WRONG_TOKEN, id };
    const args = readArgs(envelope);
    if ('kind' in args) return args;
    return this.#stopping ? { ...STOPPING, id } : { kind: 'request', id, args };
  }

  async #serve(id: number, args: ControlArgs): Promise<void> {
    if (args.do === 'status') this.#sendStatus(id);
    else if (args.do === 'pulse') await this.#sendPulse(id);
    else if (args.do === 'subscribe') this.#subscribe(id, args.args?.events);
    else {
      const result = await this.#host.act(actionOf(args));
      if (result.ok) this.#out.send(replyLine(id, result));
      else this.#refuse({ id, code: 'not_possible', message: result.message });
    }
  }

  #sendStatus(id: number): void {
    const line = this.#host.snapshots.reply(id);
    const message = 'the snapshot is too large to be sent';
    if (line === null) this.#refuse({ id, code: 'not_possible', message });
    else this.#out.send(line);
  }

  async #sendPulse(id: number): Promise<void> {
    const pulse = await this.#host.pulse();
    if (pulse.ok) this.#out.send(replyLine(id, { seq: pulse.seq }));
    else if (pulse.unreadable === null) this.#refuse({ ...STOPPING, id });
    else this.#refuse({ id, code: 'not_possible', message: pulse.unreadable });
  }

  #subscribe(id: number, events: readonly EventKind[] | undefined): void {
    const message = 'this connection is subscribed already: open another one';
    if (this.#feed !== null) {
      this.#refuse({ id, code: 'not_possible', message });
    } else {
      this.#out.send(replyLine(id, null));
      this.#feed = new Feed(this.#out, this.#host.snapshots, events);
    }
  }

  /** Who has not the token learns nothing more on this connection. */
  #refuse(refusal: Pick<Refusal, 'id' | 'code' | 'message'>): void {
    this.#out.send(refusalLine(refusal.id, refusal.code, refusal.message));
    if (refusal.code === 'unauthorised') this.#out.endAndClose();
  }
}
