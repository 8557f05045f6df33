/** `$OURO_HOME`: there, ours, closed to others, and with room. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ok, problem, reasonOf, warn, type Finding } from './finding.js';

/** Below the first a session would soon be held for want of room; below the second one day. */
const MB = 1024 * 1024;
const TOO_LITTLE = 200 * MB;
const LITTLE = 2_048 * MB;

const OTHERS_MAY_READ = 0o044;
const OTHERS_MAY_WRITE = 0o022;

/** Hold what others must not read or change. */
const OWN_FILES = ['.env', 'config.toml', 'ouro.db'];

const ANOTHER = 'set OURO_HOME to a folder of your own on a local disk';

export function checkHome(home: string): readonly Finding[] {
  try {
    if (!existsSync(home)) return checkMissing(home);
    if (!statSync(home).isDirectory())
      return [problem('home', `${home} is no folder`, `move it away, or ${ANOTHER}`)];
    const access = accessFindings(home);
    const folder = access.length === 0 ? [ok('home', home)] : access;
    return [...folder, ...OWN_FILES.flatMap((name) => fileFindings(home, name)), space(home)];
  } catch (error) {
    return [problem('home', `${home} cannot be looked at: ${reasonOf(error)}`, ANOTHER)];
  }
}

function checkMissing(home: string): readonly Finding[] {
  let folder = dirname(home);
  while (!existsSync(folder)) folder = dirname(folder);
  if (!isWritable(folder))
    return [problem('home', `${home} cannot be made: ${folder} cannot be written to`, ANOTHER)];
  return [ok('home', `${home} is made when the first session starts`), space(folder)];
}

function accessFindings(home: string): readonly Finding[] {
  const { uid, mode } = statSync(home);
  const me = process.getuid?.() ?? uid;
  if (uid !== me)
    return [
      problem('home', `${home} belongs to another user (uid ${uid}, you are ${me})`, ANOTHER),
    ];
  if (!isWritable(home))
    return [
      problem('home', `${home} cannot be written to`, `chmod u+rwx '${home}', or ${ANOTHER}`),
    ];
  const shown = (mode & 0o777).toString(8);
  if ((mode & OTHERS_MAY_WRITE) !== 0)
    return [problem('home', `others can write to ${home} (mode ${shown})`, `chmod 700 '${home}'`)];
  if ((mode & OTHERS_MAY_READ) !== 0)
    return [warn('home', `others can read ${home} (mode ${shown})`, `chmod 700 '${home}'`)];
  return [];
}

function fileFindings(home: string, name: string): readonly Finding[] {
  const file = join(home, name);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  const shown = (mode & 0o777).toString(8);
  if ((mode & OTHERS_MAY_WRITE) !== 0)
    return [problem('home', `others can write ${file} (mode ${shown})`, `chmod 600 '${file}'`)];
  // Keys for servers belong into this one.
  if (name === '.env' && (mode & OTHERS_MAY_READ) !== 0)
    return [warn('home', `others can read ${file} (mode ${shown})`, `chmod 600 '${file}'`)];
  return [];
}

function space(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const what = `${Math.floor(free / MB)} MB free on the disk of ${folder}`;
  const advice = 'make room: sessions keep what they did and what they changed';
  if (free < TOO_LITTLE) return problem('disk', what, advice);
  return free < LITTLE ? warn('disk', what, advice) : ok('disk', what);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
