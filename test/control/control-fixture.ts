/** A control server over real channels in a folder of its own, and raw sockets to talk to it without a client. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ActionRequest, ActionResult } from '../../messages/actions.js';
import type { AgentDelta } from '../../messages/agents.js';
import { Broadcast } from '../../messages/channels/broadcast.js';
import { Gate } from '../../messages/channels/gate.js';
import { Watch } from '../../messages/channels/watch.js';
import type { ObservedFact } from '../../messages/coordinator.js';
import type { SessionId } from '../../messages/ids.js';
import { MAIN_AGENT } from '../../messages/ids.js';
import type { LogEntry, Snapshot } from '../../messages/snapshot.js';
import type { RunResult } from '../../messages/result.js';
import { connect } from '../../src/control/client.js';
import type { ControlClient } from '../../src/control/client.js';
import type { Pulse } from '../../src/control/connection.js';
import { LineSplitter } from '../../src/control/lines.js';
import { startControlServer } from '../../src/control/server.js';
import type { ControlServer, ControlServerOptions } from '../../src/control/server.js';

export const SESSION = '3f0c2a9e-5d41-4b8e-9a57-0c1d2e3f4a5b' as SessionId;

export type ServerLine = Readonly<Record<string, unknown>>;

export interface Fixture {
  readonly folder: string;
  readonly socketPath: string;
  readonly tokenPath: string;
  readonly server: ControlServer;
  readonly snapshots: Watch<Snapshot>;
  readonly deltas: Broadcast<AgentDelta>;
  readonly facts: Broadcast<ObservedFact>;
  readonly asked: ActionRequest[];
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ouro-control-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function serve(options: Partial<ControlServerOptions> = {}): Promise<Fixture> {
  const folder = await temporaryFolder();
  const asked: ActionRequest[] = [];
  const act = (action: ActionRequest): Promise<ActionResult> => {
    asked.push(action);
    return Promise.resolve({ ok: true, changed: true, message: `${action.do} noted` });
  };
  const wired = {
    socketPath: join(folder, 's.sock'),
    tokenPath: join(folder, 's.token'),
    snapshots: new Watch(snapshotOf(1)),
    deltas: new Broadcast<AgentDelta>(),
    facts: new Broadcast<ObservedFact>(),
    act,
    pulse: () => Promise.resolve({ ok: true, seq: 7 }) as Promise<Pulse>,
    ...options,
  };
  const server = await startControlServer({
    session: SESSION,
    version: '0.1.0',
    pid: process.pid,
    ...wired,
  });
  onTestFinished(() => server.close());
  return { folder, server, asked, ...wired };
}

export async function attach(fixture: Fixture): Promise<ControlClient> {
  const connected = await connect(fixture);
  if (!connected.ok) throw new Error(connected.message);
  onTestFinished(() => connected.client.close());
  return connected.client;
}

/** A client that speaks by hand. */
export class RawClient {
  readonly socket: Socket;
  readonly token: string;
  readonly #splitter = new LineSplitter(2 ** 22);
  readonly #lines: ServerLine[] = [];
  readonly #changed = new Gate();
  bytes = 0;

  private constructor(socket: Socket, token: string) {
    this.socket = socket;
    this.token = token;
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length;
      for (const line of this.#splitter.push(chunk).lines)
        this.#lines.push(JSON.parse(line) as ServerLine);
      this.#changed.open();
    });
    socket.on('close', () => this.#changed.open());
  }

  static async open(fixture: Fixture): Promise<RawClient> {
    const token = await readFile(fixture.tokenPath, 'utf8');
    const client = new RawClient(createConnection(fixture.socketPath), token);
    onTestFinished(() => void client.socket.destroy());
    await client.next();
    return client;
  }

  send(request: object): void {
    this.socket.write(this.line(request));
  }

  line(request: object): string {
    return `${JSON.stringify({ v: 1, token: this.token, id: 1, ...request })}\n`;
  }

  /** The next line of the server; undefined when it closed the connection. */
  async next(): Promise<ServerLine | undefined> {
    while (this.#lines.length === 0 && !this.socket.closed) await this.#changed.opened();
    return this.#lines.shift();
  }

  /** Reads up to the first line that `matches`, and returns all of them. */
  async until(matches: (line: ServerLine) => boolean): Promise<ServerLine[]> {
    const read: ServerLine[] = [];
    for (;;) {
      const line = await this.next();
      if (line === undefined) throw new Error('the server closed the connection');
      read.push(line);
      if (matches(line)) return read;
    }
  }
}

/** Waits for what has no event of its own. */
export async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

export const deltaOf = (text: string): AgentDelta => ({
  type: 'agent.delta',
  agent: MAIN_AGENT,
  round: 1,
  kind: 'text',
  text,
});

export const factOf = (text: string): ObservedFact => ({
  type: 'agent.heard',
  agent: MAIN_AGENT,
  round: 1,
  text,
  origin: 'steer',
  at: 0,
});

export const logOf = (n: number, text: string): LogEntry => ({
  n,
  at: n,
  agent: MAIN_AGENT,
  round: 1,
  kind: 'text',
  text,
});

export function snapshotOf(version: number, part: Partial<Snapshot> = {}): Snapshot {
  return {
    version,
    session: SESSION,
    name: 'test',
    goal: 'count to three',
    workspace: '/tmp/somewhere',
    model: 'scripted',
    baseUrl: 'http://127.0.0.1:1',
    scripted: true,
    permissionMode: 'default',
    state: 'running',
    startedAt: 0,
    holds: [],
    agents: [],
    calls: [],
    sandbox: 'off',
    questions: [],
    discoveries: [],
    log: [],
    totals: {
      rounds: 0,
      promptTokens: 0,
      completionTokens: 0,
      cachedTokens: 0,
      toolCalls: 0,
      denials: 0,
      costUsd: null,
    },
    maxRounds: null,
    inbox: { depth: 0, highWater: 0, capacity: 256, deadLetters: 0 },
    result: null,
    ...part,
  };
}

export const RESULT: RunResult = {
  type: 'result',
  schema_version: 1,
  status: 'done',
  exit_code: 0,
  is_error: false,
  reason: 'the goal was met',
  session_id: SESSION,
  rounds: 3,
  duration_ms: 10,
  usage: { prompt_tokens: 1, completion_tokens: 2, cached_tokens: 0 },
  cost_usd: null,
  text: 'three',
  structured_output: null,
  files_changed: [],
  verify: [],
  denials: [],
  holds: [],
  artifacts: null,
  retryable: false,
  resume_command: null,
};
