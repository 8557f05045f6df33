/** Where the goal comes from: the argument, a file (`@file`), or stdin (`-`, or piped beside the argument). */
import { fstatSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Ending } from '../session/ending.js';

/** Whoever pipes something in has begun by then; a pipe left open by a parent process never does. */
const STDIN_WAIT_MS = 3_000;

/** A goal is words; more than this is a mistake, such as the wrong file. */
const MAX_GOAL_BYTES = 1024 * 1024;

export type ReadGoal =
  | { readonly ok: true; readonly goal: string | null; readonly notice: string | null }
  | { readonly ok: false; readonly ending: Ending };

const bad = (reason: string): ReadGoal => ({
  ok: false,
  ending: { status: 'bad_input', reason, text: '' },
});

export async function readGoal(
  argument: string | undefined,
  stdin: Readable & { readonly isTTY?: boolean },
): Promise<ReadGoal> {
  if (argument === '-') return fromStdin(stdin);
  if (argument === undefined) return { ok: true, goal: null, notice: null };
  const goal = argument.startsWith('@') ? readGoalFile(argument.slice(1)) : { text: argument };
  if ('problem' in goal) return bad(goal.problem);
  if (goal.text.trim() === '') return bad('The goal is empty. Say what is to be done.');
  const piped = isPiped() ? await readAll(stdin, STDIN_WAIT_MS) : '';
  if (piped === null) {
    const notice = `nothing came on stdin within ${STDIN_WAIT_MS / 1000} s: going on without it`;
    return { ok: true, goal: goal.text, notice };
  }
  const whole = piped.trim() === '' ? goal.text : `${goal.text}\n\n${piped}`;
  return sized(whole);
}

async function fromStdin(stdin: Readable & { readonly isTTY?: boolean }): Promise<ReadGoal> {
  if (stdin.isTTY === true) return bad('The goal is to come from stdin, but that is a terminal.');
  const text = (await readAll(stdin, null)) ?? '';
  return text.trim() === '' ? bad('The goal is empty: nothing came on stdin.') : sized(text);
}

const sized = (goal: string): ReadGoal =>
  Buffer.byteLength(goal) > MAX_GOAL_BYTES
    ? bad(
        `The goal is larger than ${MAX_GOAL_BYTES} bytes. Put the material into a file of the workspace and name it.`,
      )
    : { ok: true, goal, notice: null };

function readGoalFile(path: string): { text: string } | { problem: string } {
  const file = resolve(path);
  try {
    return { text: readFileSync(file, 'utf8') };
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : String(error);
    return { problem: `The goal file ${file} ${why}. Check the path after the @.` };
  }
}

/** Only what somebody can have redirected; `/dev/null` and terminals hold no words. */
function isPiped(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false;
  }
}

/** Null: nothing had come after `waitMs`. Once something has, it is read to its end. */
async function readAll(stdin: Readable, waitMs: number | null): Promise<string | null> {
  const chunks: Buffer[] = [];
  const reading = (async () => {
    for await (const chunk of stdin) {
      chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
      if (chunks.reduce((sum, { length }) => sum + length, 0) > MAX_GOAL_BYTES) break;
    }
    return 'ended' as const;
  })();
  if (waitMs !== null) {
    const timer = new Promise<'waited'>((done) => setTimeout(done, waitMs, 'waited').unref());
    const first = await Promise.race([reading, timer]);
    if (first === 'waited' && chunks.length === 0) {
      stdin.destroy();
      reading.catch(() => undefined);
      return null;
    }
  }
  await reading;
  return Buffer.concat(chunks).toString('utf8');
}
