/** `edit_file`: replaces text in a file that was read. Says where, and never repeats the content. */
import { closeSync } from 'node:fs';
import { z } from 'zod';
import type { ToolOutcome } from '../../messages/tools.js';
import { done, failed } from './outcomes.js';
import { MAX_WHOLE_FILE, unreadable } from './read-file.js';
import { hashOf, type ReadTracker } from './read-tracker.js';
import { holdsRedaction } from './redaction.js';
import { contentOf, openRegular, replaceFile } from './regular-file.js';
import { countText, shown, sizeText } from './shown.js';
import { editText, type EditResult, type Place } from './text-edit.js';
import { defineTool, type Tool, type ToolRun } from './tool.js';

const schema = z.strictObject({
  path: z.string(),
  old_string: z.string().describe('Exact text, without the "L1: " prefixes'),
  new_string: z.string(),
  replace_all: z.boolean().default(false),
});
type Args = z.output<typeof schema>;

/** What edits and writes answer is a line or two; more would only be an accident. */
export const SHORT_ANSWER = { kind: 'head', maxBytes: 1000 } as const;

/** Line numbers listed for one edit. */
const MAX_LISTED = 20;

export const editFileTool = (tracker: ReadTracker): Tool =>
  defineTool({
    name: 'edit_file',
    description:
      'Replace text in a file you have read. old_string must occur once, or set replace_all.',
    effect: 'write',
    truncation: SHORT_ANSWER,
    schema,
    path: ({ path }) => ({ path, access: 'write' }),
    refusal,
    about: ({ path }) => path,
    locks: (_, { real }) => [`file/${real}`],
    execute: (args, run) => edit(args, run, tracker),
  });

function refusal({ old_string, new_string }: Args): string | null {
  if (holdsRedaction(old_string) || holdsRedaction(new_string)) return REDACTED_TEXT;
  return null;
}

export const REDACTED_TEXT =
  'the text holds a [redacted:…] marker where the file holds a secret; writing it would destroy the ' +
  'secret. Leave that part of the file alone.';

async function edit(args: Args, run: ToolRun, tracker: ReadTracker): Promise<ToolOutcome> {
  const { path, old_string: oldText, new_string: newText, replace_all: replaceAll } = args;
  if (oldText === '') return failed('old_string is empty. Use write_file to write a whole file.');
  if (oldText === newText) return failed('old_string and new_string are the same.');
  const { real } = run.target;
  const file = openRegular(real);
  if (!file.ok) return unreadable(path, file);
  const { size, mode } = file;
  try {
    if (size > MAX_WHOLE_FILE) return failed(tooLarge(path, size));
    const bytes = await contentOf(file, run.signal);
    const objection = tracker.objection(real, path, bytes, 'editing');
    if (objection !== null) return objection;
    const result = editText(bytes, { oldText, newText, replaceAll });
    if (result.kind !== 'edited') return failed(explain(path, result));
    const problem = await replaceFile(real, result.bytes, mode, run.signal);
    if (problem !== null) return unreadable(path, problem);
    tracker.saw(real, hashOf(result.bytes));
    return done(describe(path, result));
  } finally {
    closeSync(file.fd);
  }
}

export const tooLarge = (path: string, size: number): string =>
  `'${shown(path)}' has ${sizeText(size)}; files of more than ${sizeText(MAX_WHOLE_FILE)} ` +
  'cannot be changed with this tool. Use shell.';

type Edited = Extract<EditResult, { kind: 'edited' }>;

function explain(path: string, result: Exclude<EditResult, Edited>): string {
  if (result.kind === 'not-found') {
    return (
      `old_string was not found in '${shown(path)}'. It must be the text of the file, without the ` +
      '"L1: " prefixes. Use read_file to see what the file holds now.'
    );
  }
  const { lines } = result;
  return (
    `old_string matches ${lines.length} locations (lines ${listNumbers(lines)}). ` +
    'Provide more context to make it unique, or set replace_all=true.'
  );
}

function describe(path: string, { places, how }: Edited): string {
  const note =
    how === 'exact'
      ? ''
      : '\nThe match ignored differences in leading whitespace; the new text was indented like the file.';
  const where = countText(places.length, 'occurrence');
  return `Edited ${shown(path)}: replaced ${where} (${placesText(places)})${note}`;
}

function placesText(places: readonly Place[]): string {
  const [only, ...others] = places;
  if (only === undefined || others.length > 0) {
    return `lines ${listNumbers(places.map(({ first }) => first))}`;
  }
  return only.first === only.last ? `line ${only.first}` : `lines ${only.first}-${only.last}`;
}

const listNumbers = (numbers: readonly number[]): string =>
  numbers.slice(0, MAX_LISTED).join(', ') + (numbers.length > MAX_LISTED ? ', …' : '');
