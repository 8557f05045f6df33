/** The operator's own commands at the turning points of a session: which there are, and what they report. */
import type { AgentId, Millis } from './ids.js';

export const HOOK_EVENTS = [
  'SessionStart',
  'PreToolUse',
  'PostToolUse',
  'PreModel',
  'PreCompact',
  'Notification',
  'SubagentStop',
  'Stop',
  'SessionEnd',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Events that tell of what has happened: there is nothing left to block. */
const TELLING: readonly HookEvent[] = ['Notification', 'SessionEnd'];

export const canBlock = (event: HookEvent): boolean => !TELLING.includes(event);

/** Events about one tool: their hooks can be kept to some tools. */
export const TOOL_EVENTS: readonly HookEvent[] = ['PreToolUse', 'PostToolUse'];

/** One command, as it is configured. */
export interface HookCommand {
  readonly command: string;
  /** A regular expression for the whole name of the tool; null: every tool, or no event of a tool. */
  readonly matcher: string | null;
  readonly timeoutMs: number;
  /** What follows when the hook itself fails. */
  readonly onError: 'warn' | 'block';
}

/** Only events that have hooks are in it. */
export type HookSettings = Readonly<Partial<Record<HookEvent, readonly HookCommand[]>>>;

/** A hook has run. `blocked`: it objected; `failed`: it could not be understood, and a person should know. */
export interface HookFact {
  readonly type: 'hook.ran';
  readonly agent: AgentId;
  readonly round: number;
  readonly event: HookEvent;
  /** The tool, for the events of one; else empty. */
  readonly about: string;
  readonly verdict: 'passed' | 'blocked' | 'failed';
  /** Its reason, its message, or what went wrong; without secrets. */
  readonly text: string;
  readonly ms: number;
  readonly at: Millis;
}

/** One line for people, of foreign text: to be sanitised like any. */
export const hookText = ({ event, about, verdict, text }: HookFact): string =>
  `hook ${event} ${verdict}${about === '' ? '' : ` ${about}`}${text === '' ? '' : `: ${text}`}`;
