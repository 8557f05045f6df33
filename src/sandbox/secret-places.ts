/**
 * Where keys and tokens lie, and the sockets through which somebody acts in the person's name. What is
 * named here need not exist.
 */
import { isAbsolute, join } from 'node:path';
import { isInside } from './places.js';

const IN_HOME = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/gh',
  '.config/git/credentials',
  '.docker',
  '.kube',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.password-store',
  '.local/share/keyrings',
];

/** Variables that move such a place somewhere else. */
const NAMED_BY = [
  'XDG_RUNTIME_DIR',
  'SSH_AUTH_SOCK',
  'GNUPGHOME',
  'DOCKER_CONFIG',
  'CLOUDSDK_CONFIG',
  'KUBECONFIG',
];

/** The sockets of system services: of containers, of the message bus, of the key agents. */
export const RUNTIME_FOLDERS = ['/run', '/var/run'];

export function secretPlaces(home: string, env: NodeJS.ProcessEnv): string[] {
  const named = NAMED_BY.map((name) => env[name] ?? '').filter(
    // A variable that names the home folder or what holds it would take everything away.
    (path) => isAbsolute(path) && !isInside(path.replace(/\/+$/, ''), home) && path !== '/',
  );
  return [...IN_HOME.map((path) => join(home, path)), ...named];
}
