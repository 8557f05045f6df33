/** What a session is asked to be, and what can be done with one that was opened. */
import type { Environment } from '../config/home.js';
import type { Config } from '../config/settings.js';
import type { Accepted } from '../config/trust.js';
import type { RunResult } from '../messages/result.js';
import type { QuitReason, SandboxKind, SessionSpec } from '../messages/session.js';
import type { Work } from './ground.js';
import type { Mesh } from './session/mesh.js';

export interface DaemonRequest {
  readonly home: string;
  readonly env: Environment;
  readonly config: Config;
  readonly work: Work;
  readonly shareWorkspace: boolean;
  /** The workspace's files that count; null or left out: none. `isForSession`: they do when it goes on. */
  readonly trust?: { readonly accepted: Accepted | null; readonly isForSession: boolean };
  /** A denied call does not by itself make the run a failure. */
  readonly tolerateDenials: boolean;
  /** Nobody waits for an exit code: what stops the work is a hold, not an end. */
  readonly holdAtLimit: boolean;
  /** Ask the server whether it is there before anything is started. */
  readonly checkFirst: boolean;
  /**
   * How long a model server may be away, or a disk be full, before the session ends; left out or null: it is
   * held until the server is back, or there is room.
   */
  readonly maxWaitMs?: number | null;
  /** Where the model's answers are written down for a rehearsal; left out: nowhere. */
  readonly record?: { readonly file: string; readonly goal: string | null };
  /** Nobody watches: end before the first request where no command could run. */
  readonly needsCommands: boolean;
}

export interface Daemon {
  readonly spec: SessionSpec;
  readonly goal: string;
  readonly mesh: Mesh;
  readonly sandbox: SandboxKind;
  /** Why there is no sandbox, though one was wanted. */
  readonly noSandbox: string | null;
  /** Notices that belong before the first request. */
  readonly warnings: readonly string[];
  /** Runs to the end. `announce` gets the result before clients are told and anything is cleaned up. */
  run(announce: (result: RunResult) => Promise<void>): Promise<RunResult>;
  quit(reason: QuitReason, detail?: string): void;
  /** An exception nobody caught. */
  fail(error: unknown): void;
}
