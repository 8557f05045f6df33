/** `write_file`: writes a whole file, new or read before. */
import { closeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { ToolOutcome } from '../../messages/tools.js';
import { REDACTED_TEXT, SHORT_ANSWER, tooLarge } from './edit-file.js';
import { done, failed } from './outcomes.js';
import { MAX_WHOLE_FILE, unreadable } from './read-file.js';
import { hashOf, type ReadTracker } from './read-tracker.js';
import { holdsRedaction } from './redaction.js';
import { contentOf, openRegular, problemOf, replaceFile, type Problem } from './regular-file.js';
import { countText, shown } from './shown.js';
import { defineTool, type Tool, type ToolRun } from './tool.js';

const schema = z.strictObject({
  path: z.string(),
  content: z.string(),
});
type Args = z.output<typeof schema>;

export const writeFileTool = (tracker: ReadTracker): Tool =>
  defineTool({
    name: 'write_file',
    description: 'Write a new file, or replace one you have read.',
    effect: 'write',
    truncation: SHORT_ANSWER,
    schema,
    path: ({ path }) => ({ path, access: 'write' }),
    refusal: ({ content }) => (holdsRedaction(content) ? REDACTED_TEXT : null),
    about: ({ path }) => path,
    locks: (_, { real }) => [`file/${real}`],
    execute: (args, run) => write(args, run, tracker),
  });

async function write(args: Args, run: ToolRun, tracker: ReadTracker): Promise<ToolOutcome> {
  const { real } = run.target;
  const existing = await existingMode(args.path, run, tracker);
  if (!existing.ok) return existing.outcome;
  const bytes = Buffer.from(args.content);
  const problem =
    (await makeFolder(dirname(real))) ??
    (await replaceFile(real, bytes, existing.mode, run.signal));
  if (problem !== null) return failed(`'${shown(args.path)}' ${problem.problem}`);
  tracker.saw(real, hashOf(bytes));
  const text = `Wrote ${countText(linesIn(args.content), 'line')} to ${shown(args.path)}`;
  if (existing.mode === null) return done(text);
  return { status: 'ok', text, truncated: false, replaced: true };
}

type Existing =
  | { readonly ok: true; readonly mode: number | null }
  | { readonly ok: false; readonly outcome: ToolOutcome };

/** The mode of the file that may be replaced; null: there is none yet. */
async function existingMode(path: string, run: ToolRun, tracker: ReadTracker): Promise<Existing> {
  const { real } = run.target;
  const file = openRegular(real);
  if (!file.ok) {
    if (file.code === 'missing') return { ok: true, mode: null };
    return { ok: false, outcome: unreadable(path, file) };
  }
  const { size, mode } = file;
  try {
    if (size > MAX_WHOLE_FILE) return { ok: false, outcome: failed(tooLarge(path, size)) };
    const bytes = await contentOf(file, run.signal);
    const outcome = tracker.objection(real, path, bytes, 'overwriting');
    return outcome === null ? { ok: true, mode } : { ok: false, outcome };
  } finally {
    closeSync(file.fd);
  }
}

async function makeFolder(folder: string): Promise<Problem | null> {
  try {
    await mkdir(folder, { recursive: true });
    return null;
  } catch (error) {
    return problemOf(error);
  }
}

function linesIn(content: string): number {
  const ends = content.split('\n').length - 1;
  return content === '' || content.endsWith('\n') ? ends : ends + 1;
}
