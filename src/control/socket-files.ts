/**
 * The files of a control socket: the folder only its owner may enter, the socket, and the token beside it.
 * Refuses, with what to do, rather than trust a folder or a file that somebody else could have put there.
 */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import type { Server } from 'node:net';
import { dirname } from 'node:path';

const TOKEN_BYTES = 32;
/** The shortest limit among the systems we run on (macOS: 104 with the final zero). */
const MAX_SOCKET_PATH_BYTES = 103;
const OTHERS = 0o077;
const ONLY_OWNER_MASK = 0o177;

/** The socket cannot be opened there; the message says why and what to do. */
export class ControlSocketError extends Error {
  override readonly name = 'ControlSocketError';
}

/** Makes the folder, or checks the one that is there. */
export async function prepareFolder(socketPath: string): Promise<void> {
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES)
    throw new ControlSocketError(
      `the control socket's path is longer than ${MAX_SOCKET_PATH_BYTES} bytes: ${socketPath}; use a shorter OURO_HOME`,
    );
  const folder = dirname(socketPath);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory())
    throw new ControlSocketError(`${folder} must be a folder, not a link or a file: remove it`);
  if (process.getuid !== undefined && found.uid !== process.getuid())
    throw new ControlSocketError(
      `${folder} belongs to another user (uid ${found.uid}): remove it or use another OURO_HOME`,
    );
  if ((found.mode & OTHERS) !== 0)
    throw new ControlSocketError(`${folder} is open to other users: chmod 700 ${folder}`);
}

/** Removes a socket that a process left behind; never one that somebody listens on. */
export async function removeStaleSocket(socketPath: string): Promise<void> {
  const found = await lstat(socketPath).catch(() => null);
  if (found === null) return;
  if (!found.isSocket())
    throw new ControlSocketError(`${socketPath} is in the way and is not a socket: remove it`);
  if (await somebodyListens(socketPath))
    throw new ControlSocketError(`another process listens on ${socketPath}: stop it first`);
  await rm(socketPath, { force: true });
}

/** A new secret for each start, in a file of its own. Replaces the file, so that a link is not followed. */
export async function writeToken(tokenPath: string): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  await rm(tokenPath, { force: true });
  await writeFile(tokenPath, token, { flag: 'wx', mode: 0o600 });
  return token;
}

/** The socket is for its owner alone from the moment it exists: it is bound before `listen` returns. */
export async function listen(server: Server, socketPath: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    // Stays: later it is a client that could not be accepted, which must not end the process.
    server.on('error', reject);
    const mask = process.umask(ONLY_OWNER_MASK);
    try {
      server.listen(socketPath, resolve);
    } finally {
      process.umask(mask);
    }
  });
}

function somebodyListens(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(socketPath);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      // Any other failure, such as a full backlog, means that there is a listener.
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}
