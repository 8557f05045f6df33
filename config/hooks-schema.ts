/** What `[[hooks.EVENT]]` may say. Loads zod, so only the schema imports this. */
import { z } from 'zod';
import {
  canBlock,
  HOOK_EVENTS,
  TOOL_EVENTS,
  type HookCommand,
  type HookEvent,
  type HookSettings,
} from '../messages/hooks.js';

/** Longer than a check of a few files takes; one that runs a whole test suite says so itself. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** One that waits for longer is no hook any more; a typing error is caught. */
const MAX_SECONDS = 3_600;

const TIMEOUT_FORM = `a timeout in seconds, above 0 and at most ${MAX_SECONDS}`;
const COMMAND_FORM = 'a command for the shell';
const MATCHER_FORM = 'a matcher that is a regular expression, such as "shell|write_.*"';
const ON_ERROR_FORM = 'on_error = "warn" or on_error = "block"';

function isPattern(text: string): boolean {
  try {
    return text === '*' || new RegExp(`^(?:${text})$`) instanceof RegExp;
  } catch {
    return false;
  }
}

const common = {
  command: z.string({ error: COMMAND_FORM }).regex(/\S/, { error: COMMAND_FORM }),
  timeout: z
    .number({ error: TIMEOUT_FORM })
    .gt(0, { error: TIMEOUT_FORM })
    .max(MAX_SECONDS, { error: TIMEOUT_FORM })
    .optional(),
};
const onError = { on_error: z.enum(['warn', 'block'], { error: ON_ERROR_FORM }).optional() };
const matcher = {
  matcher: z.string({ error: MATCHER_FORM }).refine(isPattern, { error: MATCHER_FORM }).optional(),
};

/** A key that would have no effect on the event is not known there. */
function commandsOf(event: HookEvent) {
  const keys = { ...common, ...(canBlock(event) ? onError : {}) };
  const shape = TOOL_EVENTS.includes(event) ? { ...keys, ...matcher } : keys;
  const error = `tables [[hooks.${event}]] with ${Object.keys(shape).join(', ')}`;
  return z.array(z.strictObject(shape, { error }), { error });
}

type Written = z.infer<ReturnType<typeof commandsOf>>;

export const HOOKS_SCHEMA = z
  .strictObject(
    Object.fromEntries(HOOK_EVENTS.map((event) => [event, commandsOf(event)])) as Record<
      HookEvent,
      ReturnType<typeof commandsOf>
    >,
  )
  .partial();

/** Undefined: there are none. */
export function hookSettings(
  written: Readonly<Partial<Record<HookEvent, Written | undefined>>> | undefined,
): HookSettings | undefined {
  const events = HOOK_EVENTS.flatMap((event) => {
    const hooks = written?.[event] ?? [];
    return hooks.length === 0 ? [] : [[event, hooks.map(commandOf)] as const];
  });
  return events.length === 0 ? undefined : Object.fromEntries(events);
}

function commandOf(hook: Written[number]): HookCommand {
  const { command, timeout } = hook;
  const { on_error: onError = 'warn', matcher: pattern } = hook as {
    readonly on_error?: 'warn' | 'block';
    readonly matcher?: string;
  };
  return {
    command,
    matcher: pattern === undefined || pattern === '' ? null : pattern,
    timeoutMs: timeout === undefined ? DEFAULT_TIMEOUT_MS : Math.max(1, timeout * 1000),
    onError,
  };
}
