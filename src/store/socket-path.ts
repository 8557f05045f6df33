/**
 * A new address for a session's control socket. Its name cannot be guessed, and it lies in a folder that
 * only its owner can enter. The kernel cuts long addresses off, so a long home gets a shorter folder.
 */
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDir } from './layout.js';
import { PlaceUnusable } from './place-unusable.js';

/** Systems allow 104 to 108 bytes, some counting the final NUL. */
const MAX_SOCKET_PATH_BYTES = 100;

const SOCKET_NAME_BYTES = 16;

const OTHERS_MAY_ENTER = 0o077;

/** Read by `socketPath`; a value so that a test can choose it. */
type SocketEnvironment = Readonly<Partial<Record<'XDG_RUNTIME_DIR', string>>>;

/** The folder exists when this returns, the socket does not. */
export function newSocketPath(home: string, env: SocketEnvironment = process.env): string {
  const name = `${randomBytes(SOCKET_NAME_BYTES).toString('hex')}.sock`;
  for (const folder of candidates(home, env)) {
    const path = join(folder, name);
    if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) continue;
    if (makePrivate(folder)) return path;
  }
  throw new PlaceUnusable(
    `No folder is both private and short enough for a control socket (${MAX_SOCKET_PATH_BYTES} bytes): ` +
      `tried ${candidates(home, env).join(', ')}. Set OURO_HOME to a shorter path.`,
  );
}

/** The secret a client must show; a 0600 file beside the socket. */
export const tokenPath = (socket: string): string => socket.replace(/\.sock$/, '.token');

function candidates(home: string, env: SocketEnvironment): string[] {
  const runtime = env.XDG_RUNTIME_DIR;
  return [
    runDir(home),
    ...(runtime?.startsWith('/') === true ? [join(runtime, 'ouro')] : []),
    join(tmpdir(), `ouro-${process.getuid?.() ?? 0}`),
  ];
}

/** False: it cannot be created, or somebody else made it first, owns it, or can enter it. */
function makePrivate(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Not `stat`: a link could be turned elsewhere by whoever made it.
    const found = lstatSync(folder);
    const mine = found.uid === (process.getuid?.() ?? found.uid);
    return found.isDirectory() && mine && (found.mode & OTHERS_MAY_ENTER) === 0;
  } catch {
    return false;
  }
}
