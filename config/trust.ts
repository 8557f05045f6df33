/**
 * Whether a person has accepted what a workspace's own files make ouro do. Acceptance is bound to the real
 * path and to a hash of the files that can start something or redirect something: the configuration, its
 * hooks and prompts, the list of MCP servers, the variables, and every file in the workspace that a hook, a
 * server, a notification or a model adapter names. Reports and other files that ouro or its tools write into
 * `.ouro/` are no part of it: nothing reads them as instructions, and each run would revoke the trust.
 * What a named script loads in its turn is not followed.
 */
import { createHash } from 'node:crypto';
import {
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parse } from 'smol-toml';
import { dotEnvFile } from './environment.js';
import { workspaceConfigFile } from './home.js';

/** The files as a person accepted them. */
export interface Accepted {
  readonly hash: string;
  /** A digest of each file, by its name, so that a warning can say which one changed. */
  readonly digests: Readonly<Record<string, string>>;
}

export type TrustHash =
  | (Accepted & {
      readonly ok: true;
      /** What the hash is of, relative to the workspace; empty: the workspace asks for nothing. */
      readonly files: readonly string[];
    })
  /** It cannot be trusted as it is; `why` is a whole sentence. */
  | { readonly ok: false; readonly why: string };

export type TrustState = 'nothing-to-trust' | 'trusted' | 'changed' | 'untrusted';

export interface FoundTrust {
  readonly state: TrustState;
  /** The files as they are now. */
  readonly now: TrustHash;
  /** Names of the files that are not as they were accepted. */
  readonly changed: readonly string[];
}

/** More is no configuration, and a person could not have looked at it. */
const MAX_FILES = 500;
const MAX_BYTES = 4 * 1024 * 1024;

const FOLDERS = [join('.ouro', 'hooks'), join('.ouro', 'prompts')];
const MCP_FILE = '.mcp.json';
/** Sections of the configuration whose texts can name something that runs. */
const RUNNING_SECTIONS = ['hooks', 'mcp_servers', 'notify', 'model', 'endpoints'];

/** Reads only regular files, and at most 4 MB of them. Throws nothing for what it finds. */
export function trustHash(workspace: string): TrustHash {
  try {
    const root = realpathSync(workspace);
    refuseLinkedFolder(root);
    const files = new Set([workspaceConfigFile(root), join(root, MCP_FILE), dotEnvFile(root)]);
    for (const folder of FOLDERS)
      for (const file of filesBelow(join(root, folder))) files.add(file);
    for (const file of namedFiles(root)) files.add(file);
    return hashOf(root, [...files].filter(exists).sort());
  } catch (error) {
    if (error instanceof Refused) return { ok: false, why: error.message };
    if (!(error instanceof Error && 'code' in error)) throw error;
    return {
      ok: false,
      why: `A file that decides about trust cannot be read (${String(error.code)}).`,
    };
  }
}

/** `accepted` is asked only where there is something to trust; any of what it returns is enough. */
export async function findTrust(
  workspace: string,
  accepted: () => Promise<readonly Accepted[]>,
): Promise<FoundTrust> {
  const now = trustHash(workspace);
  if (now.ok && now.files.length === 0) return { state: 'nothing-to-trust', now, changed: [] };
  const known = await accepted();
  if (now.ok && known.some(({ hash }) => hash === now.hash))
    return { state: 'trusted', now, changed: [] };
  const [last] = known;
  if (last === undefined) return { state: 'untrusted', now, changed: [] };
  return { state: 'changed', now, changed: now.ok ? namesThatDiffer(last, now) : [] };
}

/** Whether the files are as they were accepted: to be asked again where time has passed. */
export function isStill(workspace: string, { hash }: Accepted): boolean {
  const now = trustHash(workspace);
  return now.ok && now.hash === hash;
}

function namesThatDiffer(before: Accepted, now: Accepted): readonly string[] {
  const names = new Set([...Object.keys(before.digests), ...Object.keys(now.digests)]);
  return [...names].filter((name) => before.digests[name] !== now.digests[name]).sort();
}

/** Ends the reading; never leaves this file. */
class Refused extends Error {}

/** What it leads to belongs to somebody else, and would not be looked at as a part of the repository. */
function refuseLinkedFolder(root: string): void {
  const folder = dirname(workspaceConfigFile(root));
  if (exists(folder) && !realpathSync(folder).startsWith(`${root.replace(/\/$/, '')}/`))
    throw new Refused('.ouro is a link that leads out of the workspace.');
}

const exists = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

/** Name, kind and content of each, so that none of them can pass for another. */
function hashOf(root: string, files: readonly string[]): TrustHash {
  if (files.length > MAX_FILES)
    throw new Refused(
      `More than ${MAX_FILES} files decide about trust; .ouro/hooks and .ouro/prompts are for a few.`,
    );
  const digests: [string, string][] = [];
  let left = MAX_BYTES;
  for (const file of files) {
    const name = relative(root, file);
    const link = lstatSync(file).isSymbolicLink() ? readlinkSync(file) : '';
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) throw new Refused(`${name} is not a regular file.`);
    left -= stats.size;
    if (left < 0)
      throw new Refused(
        `The files that decide about trust are larger than ${MAX_BYTES} bytes together.`,
      );
    const mode = (stats.mode & 0o111) === 0 ? 'file' : 'program';
    const content = sha256(readFileSync(file));
    digests.push([name, sha256(JSON.stringify([name, mode, link, content]))]);
  }
  const names = digests.map(([name]) => name);
  const hash = sha256(JSON.stringify(digests));
  return { ok: true, hash, digests: Object.fromEntries(digests), files: names };
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/** Links among them are not walked through; each counts as a file. */
function filesBelow(folder: string, found: string[] = []): readonly string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    if (exists(folder)) found.push(folder);
    return found;
  }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (found.length > MAX_FILES) break;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) filesBelow(path, found);
    else found.push(path);
  }
  return found;
}

/** Files of the workspace that the configuration or the list of MCP servers names in a command. */
function namedFiles(root: string): readonly string[] {
  const config = tomlIn(workspaceConfigFile(root));
  const texts = [
    ...RUNNING_SECTIONS.flatMap((section) => textsIn(config[section])),
    ...textsIn(jsonIn(join(root, MCP_FILE))),
  ];
  const words = new Set(texts.flatMap((text) => [text, ...text.split(/[\s'"`;&|<>()=,]+/)]));
  return [...words].flatMap((word) => {
    const file = resolve(root, word);
    const isInside = word !== '' && file.startsWith(`${root}/`) && file.length <= MAX_PATH;
    return isInside && isFile(file) ? [file] : [];
  });
}

/** The system's own limit. */
const MAX_PATH = 4096;

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

/** What cannot be read names nothing; the loader tells what is wrong with it. */
function tomlIn(file: string): Readonly<Record<string, unknown>> {
  try {
    return parse(smallText(file));
  } catch {
    return {};
  }
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(smallText(file)) as unknown;
  } catch {
    return null;
  }
}

function smallText(file: string): string {
  const stats = statSync(file);
  return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(file, 'utf8') : '';
}
