/** Sessions in the background, as the tests start, find and end them. */
import type { Snapshot } from '../../../messages/snapshot.js';
import type { RehearsalServer } from '../../../src/rehearsal/server.js';
import { asked, done, ouro, type CommandOptions } from './command-line.js';
import { sessionIds } from './journal.js';
import { askAt, FINISH } from './model-server.js';
import type { Place } from './place.js';
import { eventually } from './poll.js';

/** Starts one that asks this server, and returns its short id: what `ouro start` prints. */
export async function start(
  place: Place,
  server: RehearsalServer,
  flags: readonly string[] = [],
  options: CommandOptions = {},
): Promise<string> {
  const { stdout } = await done(place, ['start', 'Go on.', ...askAt(server), ...flags], options);
  return stdout.trim();
}

/** The whole id behind a short one. */
export function wholeId(place: Place, short: string): string {
  const id = sessionIds(place).find((found) => found.startsWith(short));
  if (id === undefined) throw new Error(`there is no session ${short}`);
  return id;
}

/** One more request than there were: the session is at work. */
export async function nextRequest({ requests }: RehearsalServer): Promise<void> {
  const before = requests.length;
  await eventually('a further request', () => requests.length > before);
}

/** Of a session that runs. */
export async function snapshotOf(place: Place, id: string): Promise<Snapshot> {
  const { snapshot } = (await asked(place, ['status', id])).data;
  if (snapshot === undefined) throw new Error(`session ${id} is not running`);
  return snapshot;
}

/** Lets a session end that waits to be told so. Returns the exit code of `ouro wait`. */
export async function finish(place: Place, id: string): Promise<number | null> {
  await done(place, ['send', id, FINISH]);
  return (await ouro(place, ['wait', id])).code;
}
