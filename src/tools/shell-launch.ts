/** How a command is started: by which shell, in which folder, with which environment, in which confinement. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { CommandSandbox, Launch } from '../../actors/ports.js';
import type { CallId, SessionId } from '../../messages/ids.js';
import { forCall } from './child-environment.js';

export interface LaunchParts {
  readonly session: SessionId;
  /** Already without secrets. */
  readonly environment: NodeJS.ProcessEnv;
  /** Null: commands are not confined. */
  readonly sandbox: CommandSandbox | null;
}

export interface Command {
  readonly text: string;
  readonly cwd: string;
  readonly callId: CallId;
  /** Runs the command, which it finds as its first parameter. */
  readonly script: string;
}

export function launchOf(parts: LaunchParts, { text, cwd, callId, script }: Command): Launch {
  const file = shellOf(parts.environment);
  const env = forCall(parts.environment, parts.session, callId);
  const args = [...(file === PLAIN_SHELL ? [] : NO_START_UP), '-c', script, file, text];
  const launch: Launch = { file, args, cwd, env };
  return parts.sandbox?.wrap(launch) ?? launch;
}

/** A bash whose input is a pipe of ours takes itself for a remote login, and would read the person's files. */
const NO_START_UP = ['--norc', '--noprofile'];

const PLAIN_SHELL = '/bin/sh';

/** bash where there is one, because that is what models write for. */
function shellOf({ PATH = '' }: NodeJS.ProcessEnv): string {
  const folders = PATH.split(delimiter).filter((folder) => folder.startsWith('/'));
  return folders.map((folder) => join(folder, 'bash')).find(isProgram) ?? PLAIN_SHELL;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
