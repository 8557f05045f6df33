/**
 * The session's end of the control socket. Owns the socket, its token and the clients; knows nothing of the
 * agent but what it is given. A client can slow down or lose only itself.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { ActionRequest, ActionResult } from '../../messages/actions.js';
import type { AgentDelta } from '../../messages/agents.js';
import type { Broadcast } from '../../messages/channels/broadcast.js';
import type { Watch } from '../../messages/channels/watch.js';
import { PROTOCOL_VERSION, SERVED_VERBS } from '../../messages/control.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import type { SessionId } from '../../messages/ids.js';
import type { RunResult } from '../../messages/result.js';
import type { Snapshot } from '../../messages/snapshot.js';
import { atMost } from './bounded-wait.js';
import { Connection } from './connection.js';
import type { Host, Pulse } from './connection.js';
import { SharedEvent } from './feed.js';
import { STALL_MS } from './outgoing.js';
import { helloLine, SnapshotLines } from './server-lines.js';
import { listen, prepareFolder, removeStaleSocket, writeToken } from './socket-files.js';
import { UnfinishedText } from './unfinished-text.js';

/** A session that ends does not wait longer than this for those who watched it. */
const BYE_MS = 500;

export interface ControlServerOptions {
  readonly socketPath: string;
  /** Beside the socket; written anew at each start. */
  readonly tokenPath: string;
  readonly session: SessionId;
  readonly version: string;
  readonly pid: number;
  readonly snapshots: Watch<Snapshot>;
  readonly deltas: Broadcast<AgentDelta>;
  readonly facts: Broadcast<ObservedFact>;
  /** Resolves when the action is in the journal and has taken effect. Must not reject. */
  act(action: ActionRequest): Promise<ActionResult>;
  /** Goes through all that a session is made of. Must not reject. */
  pulse(): Promise<Pulse>;
  /** How long a client may take nothing of what was sent; for tests. */
  readonly stallMs?: number;
}

export interface ControlServer {
  /** Connections that are open. */
  readonly clients: number;
  /** Tells every client that the session is over, and closes; takes half a second at most. */
  bye(result: RunResult | null): Promise<void>;
  /** Closes without a word. */
  close(): Promise<void>;
}

/** Rejects with a `ControlSocketError` when the socket's place cannot be trusted or is taken. */
export async function startControlServer(options: ControlServerOptions): Promise<ControlServer> {
  const { socketPath, tokenPath } = options;
  await prepareFolder(socketPath);
  await removeStaleSocket(socketPath);
  const token = await writeToken(tokenPath);
  const server = new SocketServer(options, token);
  try {
    await listen(server.listener, socketPath);
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}

class SocketServer implements ControlServer {
  /** Half-open: who sends a request and closes its side still gets the reply. */
  readonly listener: Server = createServer({ allowHalfOpen: true }, (socket) =>
    this.#welcome(socket),
  );
  readonly #options: ControlServerOptions;
  readonly #host: Host;
  readonly #connections = new Set<Connection>();
  readonly #stopped = new AbortController();
  readonly #unlisten: readonly (() => void)[];
  #ending: Promise<void> | null = null;

  constructor(options: ControlServerOptions, token: string) {
    this.#options = options;
    const unfinished = new UnfinishedText();
    this.#host = hostOf(options, token, unfinished);
    this.#unlisten = [
      options.deltas.on((data) => {
        unfinished.add(data);
        this.#tell(() => new SharedEvent({ ev: 'delta', data }));
      }),
      options.facts.on((data) => {
        unfinished.hear(data);
        this.#tell(() => new SharedEvent({ ev: 'fact', data }));
      }),
    ];
    void this.#followSnapshots();
  }

  get clients(): number {
    return this.#connections.size;
  }

  bye(result: RunResult | null): Promise<void> {
    this.#ending ??= this.#end(async () => {
      const farewells = [...this.#connections].map((connection) => connection.finish(result));
      await atMost(BYE_MS, Promise.all(farewells));
    });
    return this.#ending;
  }

  close(): Promise<void> {
    this.#ending ??= this.#end(() => Promise.resolve());
    return this.#ending;
  }

  /** New clients are refused first; the socket's file goes with the listener. */
  async #end(farewell: () => Promise<void>): Promise<void> {
    const closed = new Promise<void>((resolve) => this.listener.close(() => resolve()));
    await farewell();
    this.#stopped.abort();
    for (const stop of this.#unlisten) stop();
    for (const connection of this.#connections) connection.drop();
    await closed;
    await rm(this.#options.tokenPath, { force: true });
  }

  #welcome(socket: Socket): void {
    const connection = new Connection(socket, this.#host);
    this.#connections.add(connection);
    void connection.closed.then(() => this.#connections.delete(connection));
  }

  /** In the order things happened, deltas and facts alike. */
  #tell(make: () => SharedEvent): void {
    if (this.#connections.size === 0) return;
    const event = make();
    for (const connection of this.#connections) connection.event(event);
  }

  async #followSnapshots(): Promise<void> {
    const changes = this.#options.snapshots.changes(this.#stopped.signal);
    while ((await changes.next()).done !== true)
      for (const connection of this.#connections) connection.snapshotChanged();
  }
}

function hostOf(
  { snapshots, ...options }: ControlServerOptions,
  token: string,
  unfinished: UnfinishedText,
): Host {
  const lines = new SnapshotLines();
  const { session, version, pid } = options;
  const capabilities = SERVED_VERBS;
  return {
    hello: helloLine({ v: PROTOCOL_VERSION, session, version, pid, capabilities }),
    stallMs: options.stallMs ?? STALL_MS,
    snapshots: {
      get version() {
        return snapshots.current;
      },
      line: () => lines.event(snapshots.current),
      reply: (id) => lines.reply(id, snapshots.current),
      unfinished: () => unfinished.deltas.map((data) => new SharedEvent({ ev: 'delta', data })),
    },
    accepts: tokenCheck(token),
    act: (action) => options.act(action),
    pulse: () => options.pulse(),
  };
}

/** Takes the same time for every token: digests have one length and are compared whole. */
function tokenCheck(token: string): (given: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}
