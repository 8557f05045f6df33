/**
 * What can be done with a program that goes on after the call that started it, whoever holds its output; what
 * of it is put on record; and how it stands, in words.
 */
import type { Writable } from 'node:stream';
import type { AgentId, CallId, Millis } from '../../messages/ids.js';
import type { OutputTail } from './output-tail.js';
import { cutText, listed } from './shown.js';

/** For the journal: what is needed to find a process again, and what became of it. */
export type ProcessFact = {
  readonly id: string;
  readonly agent: AgentId;
  readonly round: number;
  /** The call that started it. */
  readonly callId: CallId;
} & (
  | {
      readonly type: 'started';
      readonly pid: number;
      /** Null: it had ended before anybody could ask. */
      readonly startTime: string | null;
      readonly command: string;
      /** It outlives the session's process; left out: it does not. */
      readonly keep?: 'restart';
    }
  /** `exitCode` null: it was ended from here, or, with `unseen`, nobody saw how it ended. */
  | { readonly type: 'ended'; readonly exitCode: number | null; readonly unseen?: true }
);

export interface BackgroundEnd {
  readonly at: Millis;
  /** Null: it was ended from here, or nobody saw how it ended. */
  readonly exitCode: number | null;
  readonly unseen?: true;
}

/** What a program has printed. */
export interface PrintedOutput {
  readonly tail: OutputTail;
  /** Resolves when all of it until now can be read from its file. */
  flushed(): Promise<void>;
  /** Resolves when `tail` is as new as what came. */
  followed(): Promise<void>;
}

export interface BackgroundProgram {
  readonly id: string;
  readonly callId: CallId;
  readonly command: string;
  readonly startedAt: Millis;
  readonly output: PrintedOutput;
  /** It outlives this process. */
  readonly isKept: boolean;
  /** Resolves when it has ended and its end is on record. */
  readonly ended: Promise<void>;
  /** Null: it runs. */
  readonly end: BackgroundEnd | null;
  readonly pid: number;
  /** Null: it can be read no more, or never could. */
  readonly input: Writable | null;
  /** Resolves when it runs, or with the reason why it does not. */
  begun(): Promise<string | null>;
  /** Resolves when it is gone. */
  stop(): Promise<void>;
}

const SHOWN_COMMAND = 100;

export const shownCommand = (command: string): string =>
  listed(cutText(command.replace(/\s+/g, ' ').trim(), SHOWN_COMMAND, '…'));

/** How it stands, for a list. */
export function describeProgram(program: BackgroundProgram, now: Millis): string {
  const { id, end, startedAt, pid, command, isKept } = program;
  const seconds = ((end?.at ?? now) - startedAt) / 1000;
  const time = `${seconds.toFixed(seconds < 10 ? 1 : 0)}s`;
  const kept = isKept ? ', kept over a restart' : '';
  const state =
    end === null ? `running for ${time} (pid ${pid}${kept})` : `${endText(end)} after ${time}`;
  return `${id} ${state}: ${shownCommand(command)}`;
}

export function endText({ exitCode, unseen }: Pick<BackgroundEnd, 'exitCode' | 'unseen'>): string {
  if (exitCode !== null) return `ended with exit code ${exitCode}`;
  return unseen === true ? 'ended, and its exit code is not known' : 'was ended';
}
