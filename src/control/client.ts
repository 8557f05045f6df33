/**
 * The other end of the control socket, for every verb that talks to a session and for the dashboard. Loads
 * nothing heavy, and never throws for what a session or the system does: each end is a value.
 */
import { readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import type { Socket } from 'node:net';
import type { ControlArgs, ControlReply, EventKind, Hello } from '../../messages/control.js';
import { atMost } from './bounded-wait.js';
import { SocketClient } from './socket-client.js';
import type { ControlEvents, NoReply } from './socket-client.js';

/** A session that is alive greets at once; this allows for a machine that is very busy. */
const CONNECT_MS = 2_000;

export interface ConnectOptions {
  readonly socketPath: string;
  readonly tokenPath: string;
  readonly timeoutMs?: number;
}

export type ConnectFailure =
  /** There is no socket or no token: the session is not running. */
  | 'absent'
  /** Nobody listens any more, or it is ending at this moment. */
  | 'refused'
  /** Its process is there and does not answer. */
  | 'timeout'
  /** The files belong to somebody else. */
  | 'unauthorised'
  /** It speaks another version, or something else altogether. */
  | 'protocol';

export type Connected =
  | { readonly ok: true; readonly client: ControlClient }
  | { readonly ok: false; readonly reason: ConnectFailure; readonly message: string };

export interface ControlClient {
  readonly hello: Hello;
  request(args: ControlArgs, timeoutMs?: number): Promise<ControlReply | NoReply>;
  /** Subscribes, once per connection; without `kinds` to everything. */
  events(kinds?: readonly EventKind[]): ControlEvents;
  close(): void;
}

export async function connect(options: ConnectOptions): Promise<Connected> {
  const { socketPath, tokenPath, timeoutMs = CONNECT_MS } = options;
  let token: string;
  try {
    token = (await readFile(tokenPath, 'utf8')).trim();
  } catch (error) {
    return failure(error, tokenPath);
  }
  const socket = createConnection(socketPath);
  const refused = new Promise<Connected>((resolve) => {
    socket.on('error', (error) => resolve(failure(error, socketPath)));
  });
  const connected = await atMost(timeoutMs, Promise.race([refused, greeted(socket, token)]));
  if (connected?.ok !== true) socket.destroy();
  return connected ?? noGreeting(timeoutMs, socketPath);
}

async function greeted(socket: Socket, token: string): Promise<Connected> {
  const client = new SocketClient(socket, token);
  const greeting = await client.greeting;
  if (!greeting.ok) return greeting;
  const { hello } = greeting;
  return {
    ok: true,
    client: {
      hello,
      request: (args, timeoutMs) => client.request(args, timeoutMs),
      events: (kinds) => client.events(kinds),
      close: () => client.close(),
    },
  };
}

const noGreeting = (timeoutMs: number, path: string): Connected => ({
  ok: false,
  reason: 'timeout',
  message: `the session did not answer within ${timeoutMs} ms on ${path}: it is stopped or stuck; ouro kill ends it`,
});

/** What the system's error means for a person. */
function failure(error: unknown, path: string): Connected {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return {
        ok: false,
        reason: 'absent',
        message: `the session is not running: there is no ${path}; ouro resume starts it again`,
      };
    case 'ECONNREFUSED':
      return {
        ok: false,
        reason: 'refused',
        message: `the session is not running: nobody listens on ${path}; ouro resume starts it again`,
      };
    case 'EACCES':
    case 'EPERM':
      return {
        ok: false,
        reason: 'unauthorised',
        message: `${path} may not be used by this user: the session belongs to another one`,
      };
    case 'EAGAIN':
      return {
        ok: false,
        reason: 'timeout',
        message: `the session takes no more clients on ${path}: it is stopped or stuck; ouro kill ends it`,
      };
    default:
      return { ok: false, reason: 'refused', message: `${path}: ${message}` };
  }
}
