/** `process_list`, `process_output`, `process_write`, `process_kill`: what can be done with background processes. */
import type { Writable } from 'node:stream';
import { z } from 'zod';
import type { CommandSandbox } from '../../actors/ports.js';
import type { ToolOutcome } from '../../messages/tools.js';
import { endText, type BackgroundProgram } from './background-program.js';
import type { BackgroundProcesses } from './background-processes.js';
import {
  describePage,
  isPastEnd,
  NOTICE_BYTES,
  NOTICE_LINES,
  PAGE_LINES,
  pageOfFile,
  pastEnd,
} from './file-page.js';
import { done, failed } from './outcomes.js';
import type { Redact } from './redaction.js';
import { countText, shown } from './shown.js';
import { defineTool, type Tool, type ToolResult, type ToolRun } from './tool.js';

export interface ProcessToolParts {
  readonly background: BackgroundProcesses;
  readonly sandbox: CommandSandbox | null;
  readonly redact: Redact;
}

const DEFAULT_TAIL = 50;

/** More lines than this are paged through. */
const MAX_TAIL = 500;

/** What fits into the pipe of a program that does not read yet. */
const MAX_INPUT = 64 * 1024;

const id = z.string().min(1);

export const processTools = (parts: ProcessToolParts): readonly Tool[] => [
  listTool(parts),
  outputTool(parts),
  writeTool(parts),
  killTool(parts),
];

const listTool = ({ background }: ProcessToolParts): Tool =>
  defineTool({
    name: 'process_list',
    description: 'List background processes.',
    effect: 'none',
    schema: z.strictObject({}),
    about: () => '',
    execute() {
      const lines = background.describe();
      return done(lines.length === 0 ? 'No background process was started.' : lines.join('\n'));
    },
  });

const outputSchema = z.strictObject({
  id,
  offset: z.int().min(1).optional(),
  tail: z.int().min(1).default(DEFAULT_TAIL),
});

const outputTool = (parts: ProcessToolParts): Tool =>
  defineTool({
    name: 'process_output',
    description: 'Show its last lines, or a page.',
    effect: 'none',
    // The page keeps to its limits by itself; what is said about it stands around it.
    truncation: { kind: 'headLines', maxLines: PAGE_LINES + NOTICE_LINES + 2 },
    schema: outputSchema,
    about: (args) => args.id,
    execute: (args, run) => showOutput(parts, args, run),
  });

async function showOutput(
  parts: ProcessToolParts,
  { id: wanted, offset, tail }: z.output<typeof outputSchema>,
  run: ToolRun,
): Promise<ToolResult> {
  const process = parts.background.find(wanted);
  if (process !== null && offset === undefined) {
    await process.output.followed();
    return showEnd(parts, process, tail, run);
  }
  await process?.output.flushed();
  const request = {
    limit: PAGE_LINES,
    maxBytes: run.maxBytes - NOTICE_BYTES,
    redact: parts.redact,
  };
  const file = parts.background.outputFile(wanted);
  const found = await pageOfFile(file, { ...request, offset: offset ?? 1 }, run.signal);
  if (found === null) return failed(unknown(parts.background, wanted));
  const call = `process_output(id='${wanted}'`;
  const notice = { offset: offset ?? 1, limit: PAGE_LINES, total: found.total, what: wanted, call };
  if (isPastEnd(notice)) return failed(pastEnd(notice));
  return headed(process, describePage(found.page, notice));
}

function showEnd(
  { sandbox, redact }: ProcessToolParts,
  process: BackgroundProgram,
  tail: number,
  { maxBytes }: ToolRun,
): ToolOutcome {
  const { end } = process;
  const output = process.output.tail;
  const limit = Math.min(tail, MAX_TAIL);
  const { lines } = output.newest({ limit, maxBytes: maxBytes - NOTICE_BYTES, redact });
  const earlier = output.lines - lines.length;
  const more = `[${countText(earlier, 'earlier line')}: process_output id=${process.id} offset=1]`;
  const code = end?.exitCode ?? null;
  const why = code === null ? null : (sandbox?.explain(output.end, code) ?? null);
  const text = [
    ...(earlier > 0 ? [more] : []),
    ...(output.lines === 0 ? ['[nothing printed]'] : lines),
    ...(why === null ? [] : [why]),
  ];
  return headed(process, done(text.join('\n')));
}

function headed(process: BackgroundProgram | null, outcome: ToolOutcome): ToolOutcome {
  const state = process === null ? AN_EARLIER_ONE : process.end ? endText(process.end) : 'runs';
  const text = `[${process === null ? '' : `${process.id} `}${state}]\n${outcome.text}`;
  return { ...outcome, text };
}

const AN_EARLIER_ONE = 'this process ended with an earlier run of the session';

const writeTool = ({ background }: ProcessToolParts): Tool =>
  defineTool({
    name: 'process_write',
    description: 'Write to its input; "" closes it.',
    effect: 'execute',
    schema: z.strictObject({
      id,
      data: z.string().max(MAX_INPUT),
    }),
    refusal: (args) => (background.find(args.id) ? null : unknown(background, args.id)),
    subject: (args) => inputSubject(background.find(args.id), args.data),
    about: (args) => `${args.id} ${args.data}`,
    locks: (args) => [`process/${args.id}`],
    async execute(args, run) {
      const process = background.find(args.id);
      if (process === null) return failed(unknown(background, args.id));
      if (process.end !== null) return failed(`${process.id} ${endText(process.end)} already.`);
      const { input } = process;
      if (input === null) return failed(noInput(process));
      if (args.data === '') {
        input.end();
        return done(`Closed the input of ${process.id}.`);
      }
      const wrote = `Wrote ${countText(Buffer.byteLength(args.data), 'byte')} to ${process.id}.`;
      const problem = await taken(input, args.data, run.signal);
      return problem === null ? done(wrote) : failed(`${process.id} did not take it: ${problem}.`);
    },
  });

const noInput = ({ id, isKept }: BackgroundProgram): string =>
  isKept
    ? `${id} has no input: it was started with keep 'restart', and no input outlives a restart.`
    : `the input of ${id} is closed.`;

/** The command comes first and holds no line break, so that what is written cannot pass for it. */
const inputSubject = (process: BackgroundProgram | null, data: string): string =>
  `${process?.command.replace(/\s*\n\s*/g, ' ').trim() ?? ''}\n${data}`;

/** Null: the program's side has it. A program that does not read makes it wait. */
function taken(input: Writable, data: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('stopped'));
    signal.addEventListener('abort', stop, { once: true });
    input.write(data, (error) => {
      signal.removeEventListener('abort', stop);
      resolve(error ? error.message : null);
    });
  });
}

const killTool = ({ background }: ProcessToolParts): Tool =>
  defineTool({
    name: 'process_kill',
    description: 'End one.',
    // It was ours to start, so it is ours to end: no rule is asked.
    effect: 'none',
    schema: z.strictObject({ id }),
    about: (args) => args.id,
    async execute(args) {
      const process = background.find(args.id);
      if (process === null) return failed(unknown(background, args.id));
      if (process.end !== null) return done(`${process.id} ${endText(process.end)} already.`);
      await process.stop();
      return done(`${process.id} was ended.`);
    },
  });

function unknown(background: BackgroundProcesses, wanted: string): string {
  const ids = background.list().map((process) => process.id);
  const there =
    ids.length === 0 ? 'No background process was started.' : `There are: ${ids.join(', ')}.`;
  return `there is no background process '${shown(wanted)}'. ${there}`;
}
