/**
 * `shell`: one command in a process group of its own, without terminal or input. Its output is kept within
 * bounds while it runs; the time limit and cancellation end everything it has started.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Journal } from '../../actors/ports.js';
import { factOf } from '../../messages/journal.js';
import type { BackgroundProcesses } from './background-processes.js';
import { destructive } from './blocklist.js';
import { NOT_KEPT, spillFile, wholeText } from './captured-output.js';
import { done, failed } from './outcomes.js';
import { exitCode, type ProcessGroups, type ProgramEnd } from './process.js';
import { isFolder, type ShellFolders } from './shell-folder.js';
import { launchOf, type LaunchParts } from './shell-launch.js';
import { ShellOutput, type Captured } from './shell-output.js';
import { shown } from './shown.js';
import { defineTool, type Tool, type ToolResult, type ToolRun } from './tool.js';

export interface ShellParts extends LaunchParts {
  readonly journal: Journal;
  readonly groups: ProcessGroups;
  readonly folders: ShellFolders;
  /** Null: no command may go on after its call. */
  readonly background: BackgroundProcesses | null;
  readonly spillDir: string;
  readonly defaultTimeoutMs: number;
}

const MAX_TIMEOUT_S = 600;

/** The kernel takes no longer argument. */
const MAX_COMMAND_BYTES = 128 * 1024 - 1024;

/** Room for the lines that stand around the output. */
const FRAME_BYTES = 200;

/** Longer than any path. */
const FOLDER_BYTES = 8 * 1024;

/**
 * Standard error joins standard output, so that lines stay in the order in which they were printed. The
 * folder in which the command ends goes to descriptor 3, a file that nobody else can open.
 */
const WRAPPER = 'exec 2>&1; trap "pwd -P >&3" EXIT; eval "set --; $1"';

const foreground = (defaultTimeoutMs: number) =>
  z.strictObject({
    command: z.string(),
    timeout: z
      .int()
      .min(1)
      .max(MAX_TIMEOUT_S)
      .default(Math.round(defaultTimeoutMs / 1000))
      .describe('Seconds'),
    working_dir: z.string().optional().describe('For this call'),
  });

const withBackground = (defaultTimeoutMs: number) =>
  foreground(defaultTimeoutMs).extend({
    background: z.boolean().default(false).describe('Goes on after the call'),
    keep: z.enum(['session', 'restart']).optional().describe('restart: outlives a crash'),
  });

type Args = z.output<ReturnType<typeof foreground>> &
  Partial<z.output<ReturnType<typeof withBackground>>>;

export function shellTool(parts: ShellParts): Tool {
  const { background, defaultTimeoutMs } = parts;
  const schema =
    background === null ? foreground(defaultTimeoutMs) : withBackground(defaultTimeoutMs);
  return defineTool({
    name: 'shell',
    description: 'Run a command in bash. cd persists.',
    effect: 'execute',
    schema,
    path: ({ working_dir = '.' }) => ({ path: working_dir, access: 'read' }),
    subject: ({ command }) => command,
    about: ({ command }) => command,
    limitMs: ({ timeout }) => timeout * 1000,
    locks: (_, __, agent) => [`shell/${agent}`],
    refusal: (args: Args) => refusal(args),
    cwd: ({ working_dir }, target, agent) =>
      working_dir === undefined ? parts.folders.current(agent) : target.real,
    execute: async (args: Args, run) => {
      if (!isFolder(run.cwd)) return failed(`'${shown(run.cwd)}' is not a folder.`);
      if (args.background !== true || parts.background === null) {
        return runCommand(parts, args.command, run, args.working_dir === undefined);
      }
      return parts.background.start(args.command, run, args.keep === 'restart');
    },
  });
}

function refusal({ command, background, keep }: Args): string | null {
  if (keep === 'restart' && background !== true) {
    return "keep 'restart' needs background true: any other command ends with its call.";
  }
  if (command.trim() === '') return 'the command is empty.';
  if (command.includes('\0')) return 'the command holds a NUL byte.';
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    return 'the command is longer than 127KB. Write it to a file with write_file and run that.';
  }
  const reason = destructive(command);
  return reason && `potentially destructive command blocked (${reason})`;
}

async function runCommand(
  parts: ShellParts,
  command: string,
  run: ToolRun,
  remembersFolder: boolean,
): Promise<ToolResult> {
  const { callId, cwd } = run;
  const output = new ShellOutput(run.maxBytes - FRAME_BYTES, spillFile(parts.spillDir, callId));
  const lastFolder = openUnlinked();
  try {
    const end = await parts.groups.run({
      ...launchOf(parts, { text: command, cwd, callId, script: WRAPPER }),
      extraFile: lastFolder,
      signal: run.signal,
      started: (pid, startTime) => noteStart(parts.journal, run, pid, startTime),
      output: (chunk) => output.take(chunk),
    });
    if (remembersFolder) parts.folders.moved(run.agent, contentOf(lastFolder));
    return describe(parts, end, await output.finish(), run);
  } finally {
    closeSync(lastFolder);
  }
}

function noteStart(journal: Journal, run: ToolRun, pid: number, startTime: string | null): void {
  if (startTime === null) return;
  const body = { callId: run.callId, pid, startTime };
  // A journal that cannot write says so to whoever waits for the outcome.
  journal.append([factOf('tool.started', run.agent, run.round, body)]).catch(() => undefined);
}

function describe(
  { sandbox }: ShellParts,
  end: ProgramEnd,
  { text, truncated, isKept }: Captured,
  { callId }: ToolRun,
): ToolResult {
  const output = text.replace(/\n$/, '');
  const rest = truncated ? [isKept ? wholeText(callId) : NOT_KEPT] : [];
  switch (end.kind) {
    case 'not-started':
      return failed(`the shell could not be started (${end.code}).`);
    case 'stopped':
      return { status: 'stopped', text: [text, ...rest].join(text.endsWith('\n') ? '' : '\n') };
    case 'exited': {
      const code = exitCode(end.exit);
      const left = end.leftChildren ? ['[background processes of this command were ended]'] : [];
      const why = sandbox?.explain(output, code) ?? '';
      const lines = [`[exit: ${code}]`, output, ...rest, ...left, why];
      return done(lines.filter((line) => line !== '').join('\n'), truncated);
    }
  }
}

/** A file without a name: open here, inherited by the command, gone when both have closed it. */
function openUnlinked(): number {
  const path = join(tmpdir(), `ouro-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}

function contentOf(file: number): string {
  const bytes = Buffer.alloc(FOLDER_BYTES);
  return bytes.toString('utf8', 0, readSync(file, bytes, 0, FOLDER_BYTES, 0));
}
