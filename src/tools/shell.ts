/**
 * `shell`: one command in a process group of its own, without terminal or input. Its output is kept within
 * bounds while it runs; the time limit and cancellation end everything it has started.
 */
import { randomUUID } from 'node:crypto';
import { accessSync, constants, closeSync, openSync, readSync, unlinkSync } from 'node:fs';
import { constants as system, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { z } from 'zod';
import type { Journal } from '../../actors/ports.js';
import type { SessionId } from '../../messages/ids.js';
import { factOf } from '../../messages/journal.js';
import { destructive } from './blocklist.js';
import { spillFile } from './captured-output.js';
import { forCall } from './child-environment.js';
import { done, failed } from './outcomes.js';
import type { Exit, ProcessGroups, ProgramEnd } from './process.js';
import { isFolder, type ShellFolders } from './shell-folder.js';
import { ShellOutput, type Captured } from './shell-output.js';
import { shown } from './shown.js';
import { defineTool, type Tool, type ToolResult, type ToolRun } from './tool.js';

export interface ShellParts {
  readonly session: SessionId;
  readonly journal: Journal;
  readonly groups: ProcessGroups;
  readonly folders: ShellFolders;
  /** Already without secrets. */
  readonly environment: NodeJS.ProcessEnv;
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

export function shellTool(parts: ShellParts): Tool {
  const schema = z.strictObject({
    command: z.string().describe('Command for bash'),
    timeout: z
      .int()
      .min(1)
      .max(MAX_TIMEOUT_S)
      .default(Math.round(parts.defaultTimeoutMs / 1000))
      .describe('Seconds'),
    working_dir: z.string().optional().describe('Folder for this call only'),
  });
  return defineTool({
    name: 'shell',
    description:
      'Run a command: builds, tests, git, programs. Not for reading, searching or editing files: use ' +
      'the other tools. No terminal, no input. cd persists between calls; background processes end ' +
      'with the call.',
    effect: 'execute',
    schema,
    path: ({ working_dir = '.' }) => ({ path: working_dir, access: 'read' }),
    subject: ({ command }) => command,
    about: ({ command }) => command,
    limitMs: ({ timeout }) => timeout * 1000,
    locks: (_, __, agent) => [`shell/${agent}`],
    refusal: ({ command }) => refusal(command),
    cwd: ({ working_dir }, target, agent) =>
      working_dir === undefined ? parts.folders.current(agent) : target.real,
    execute: ({ command, working_dir }, run) =>
      runCommand(parts, command, run, working_dir === undefined),
  });
}

function refusal(command: string): string | null {
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
  if (!isFolder(run.cwd)) return failed(`'${shown(run.cwd)}' is not a folder.`);
  const output = new ShellOutput(run.maxBytes - FRAME_BYTES, spillFile(parts.spillDir, run.callId));
  const lastFolder = openUnlinked();
  try {
    const shell = shellOf(parts.environment);
    const end = await parts.groups.run({
      file: shell,
      args: ['-c', WRAPPER, shell, command],
      cwd: run.cwd,
      env: forCall(parts.environment, parts.session, run.callId),
      extraFile: lastFolder,
      signal: run.signal,
      started: (pid, startTime) => noteStart(parts.journal, run, pid, startTime),
      output: (chunk) => output.take(chunk),
    });
    if (remembersFolder) parts.folders.moved(run.agent, contentOf(lastFolder));
    return describe(end, await output.finish());
  } finally {
    closeSync(lastFolder);
  }
}

function noteStart(journal: Journal, run: ToolRun, pid: number, startTime: string): void {
  const body = { callId: run.callId, pid, startTime };
  // A journal that cannot write says so to whoever waits for the outcome.
  journal.append([factOf('tool.started', run.agent, run.round, body)]).catch(() => undefined);
}

function describe(end: ProgramEnd, { text, truncated }: Captured): ToolResult {
  switch (end.kind) {
    case 'not-started':
      return failed(`the shell could not be started (${end.code}).`);
    case 'stopped':
      return { status: 'stopped', text };
    case 'exited': {
      const lines = [`[exit: ${exitCode(end.exit)}]`, text.replace(/\n$/, '')];
      const left = end.leftChildren ? ['[background processes of this command were ended]'] : [];
      return done([...lines, ...left].filter((line) => line !== '').join('\n'), truncated);
    }
  }
}

/** As a shell would report it. */
const exitCode = ({ code, signal }: Exit): number =>
  code ?? 128 + (signal === null ? 0 : system.signals[signal]);

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

/** bash where there is one, because that is what models write for. */
function shellOf({ PATH = '' }: NodeJS.ProcessEnv): string {
  const folders = PATH.split(delimiter).filter((folder) => folder.startsWith('/'));
  return folders.map((folder) => join(folder, 'bash')).find(isProgram) ?? '/bin/sh';
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
