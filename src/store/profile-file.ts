/**
 * `$OURO_HOME/profile.json`: read when a session starts, added to when it ends. A file that cannot be read
 * counts as none and is set aside before another takes its place, because a person may have written in it.
 */
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeFileAtomic } from './atomic-file.js';
import { profileFile, profileLock } from './layout.js';
import { acquireLock } from './lock.js';
import { profileFrom } from './profile-json.js';
import { NO_PROFILE, withRun, type Profile, type Run } from './profile-record.js';

export interface ReadProfile {
  readonly profile: Profile;
  /** Why the file does not count; null: it does, or there is none. */
  readonly warning: string | null;
}

/** Never throws: without a profile work goes on as it did the first time. */
export function readProfile(home: string): ReadProfile {
  const file = profileFile(home);
  const text = textOf(file);
  if (typeof text !== 'string') return { profile: NO_PROFILE, warning: unread(file, text) };
  const profile = profileFrom(text);
  return profile === null
    ? { profile: NO_PROFILE, warning: unread(file, 'it is not the JSON that ouro wrote') }
    : { profile, warning: null };
}

/** Null: there is no such file. */
function textOf(file: string): string | Error | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return 'code' in error && error.code === 'ENOENT' ? null : error;
  }
}

const unread = (file: string, why: string | Error | null): string | null =>
  why === null
    ? null
    : `The profile ${file} cannot be read (${why instanceof Error ? why.message : why}): what earlier ` +
      `sessions learned is not used. Correct it, or let it be set aside as ${file}.damaged when this session ends.`;

/** Each attempt waits a quarter of a second for other sessions that end just now. */
const ATTEMPTS = 8;

/** Adds a run to what the file says by now. False: others kept it busy, and the run is not counted. */
export function addRun(home: string, run: Run): boolean {
  const file = profileFile(home);
  mkdirSync(dirname(profileLock(home)), { recursive: true, mode: 0o700 });
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const lock = acquireLock(profileLock(home), { what: 'writing the profile' });
    if (lock === null) continue;
    try {
      const { profile, warning } = readProfile(home);
      if (warning !== null) renameSync(file, `${file}.damaged`);
      writeFileAtomic(file, `${JSON.stringify(withRun(profile, run), null, 2)}\n`);
      return true;
    } finally {
      lock.release();
    }
  }
  return false;
}
