/**
 * Turns a line from a client into a request, or says exactly which key of it cannot be used. Reads the
 * envelope first, so that the token is judged before anything is said about the rest.
 */
import type { ActionRequest } from '../../messages/actions.js';
import { PROTOCOL_VERSION, SERVED_VERBS } from '../../messages/control.js';
import type {
  ControlArgs,
  ControlErrorCode,
  ControlVerb,
  EventKind,
} from '../../messages/control.js';
import { changeOf, SET_CHECKS, type Check } from './set-args.js';

/** The id in replies to lines that have none of their own. */
export const NO_ID = 0;

/** The last moment a date can name. */
const LAST_DATE = 8.64e15;

export interface Refusal {
  readonly kind: 'refused';
  readonly id: number;
  readonly code: ControlErrorCode;
  readonly message: string;
}

interface Envelope {
  readonly kind: 'envelope';
  readonly id: number;
  /** Not judged yet. */
  readonly token: string;
  readonly verb: unknown;
  readonly args: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const EVENT_KINDS: Readonly<Record<EventKind, true>> = {
  snapshot: true,
  delta: true,
  lagged: true,
  fact: true,
  bye: true,
};

const isEventKind = (value: unknown): boolean =>
  typeof value === 'string' && Object.hasOwn(EVENT_KINDS, value);

const MORE: Check = {
  required: false,
  expected: 'a number above 0',
  accepts: (v) => typeof v === 'number' && v > 0 && v <= Number.MAX_SAFE_INTEGER,
};

const YES_OR_NO: Check = {
  required: false,
  expected: 'true or false',
  accepts: (v) => typeof v === 'boolean',
};

const QUESTION: Check = {
  required: true,
  expected: 'the id of a question, such as q3',
  accepts: (v) => typeof v === 'string' && /^q\d+$/.test(v),
};

/** What each verb's `args` may hold. */
const ARGS: Readonly<Record<ControlVerb, Readonly<Record<string, Check>>>> = {
  status: {},
  pulse: {},
  resume: { add_cost: MORE, add_tokens: MORE, add_time_ms: MORE, force: YES_OR_NO },
  stop: { restart: YES_OR_NO },
  interrupt: {},
  set: SET_CHECKS,
  pause: {
    now: YES_OR_NO,
    until: {
      required: false,
      expected: 'null or milliseconds since 1970',
      accepts: (v) => v === null || (typeof v === 'number' && v >= 0 && v <= LAST_DATE),
    },
  },
  send: {
    text: {
      required: true,
      expected: 'text that is not empty',
      accepts: (v) => typeof v === 'string' && v.trim() !== '',
    },
    mode: {
      required: false,
      expected: '"steer" or "queue"',
      accepts: (v) => v === 'steer' || v === 'queue',
    },
  },
  answer: {
    question: QUESTION,
    text: { required: true, expected: 'text', accepts: (v) => typeof v === 'string' },
    edits: {
      required: false,
      expected: 'the number of a choice, counted from 1',
      accepts: (v) => Number.isSafeInteger(v) && Number(v) >= 1,
    },
  },
  approve: {
    question: QUESTION,
    scope: {
      required: false,
      expected: '"once" or "session"',
      accepts: (v) => v === 'once' || v === 'session',
    },
  },
  deny: {
    question: QUESTION,
    reason: { required: false, expected: 'text', accepts: (v) => typeof v === 'string' },
  },
  subscribe: {
    events: {
      required: false,
      expected: `a list of ${Object.keys(EVENT_KINDS).join(', ')}`,
      accepts: (v) => Array.isArray(v) && v.every(isEventKind),
    },
  },
};

export function readEnvelope(line: string): Envelope | Refusal {
  const fields = asFields(parse(line));
  if (fields === null) return refuse(NO_ID, 'bad_request', 'a line must be one JSON object');
  const { v, id, token } = fields;
  if (typeof id !== 'number' || !Number.isSafeInteger(id))
    return refuse(NO_ID, 'bad_request', 'id must be a whole number');
  if (v !== PROTOCOL_VERSION)
    return refuse(id, 'bad_request', `v must be ${PROTOCOL_VERSION}, which this session speaks`);
  if (typeof token !== 'string')
    return refuse(id, 'unauthorised', 'token must be the text of the token file beside the socket');
  return { kind: 'envelope', id, token, verb: fields['do'], args: fields['args'] };
}

export function readArgs({ id, verb, args }: Envelope): ControlArgs | Refusal {
  if (!isServed(verb)) {
    const named = typeof verb === 'string' ? JSON.stringify(verb.slice(0, 40)) : 'nothing';
    const served = SERVED_VERBS.join(' ');
    return refuse(id, 'unknown_verb', `do is ${named}; this session serves: ${served}`);
  }
  const given = args === undefined ? {} : asFields(args);
  if (given === null) return refuse(id, 'bad_request', 'args must be an object');
  const wrong = firstWrong(ARGS[verb], given);
  if (wrong !== null) return refuse(id, 'bad_request', `${verb}: ${wrong}`);
  // The table above has checked every key and value, which the compiler cannot see.
  return { do: verb, args: given } as unknown as ControlArgs;
}

/** The verbs that do something, as opposed to those that only look. */
type ActingArgs = Exclude<ControlArgs, { readonly do: 'status' | 'pulse' | 'subscribe' }>;

/** What a person asked to be done, with what was left out filled in. */
export function actionOf(args: ActingArgs): ActionRequest {
  switch (args.do) {
    case 'pause':
      return { do: 'pause', now: args.args?.now ?? false, until: args.args?.until ?? null };
    case 'send':
      return { do: 'send', text: args.args.text, mode: args.args.mode ?? 'steer' };
    case 'answer':
      return { do: 'answer', ...args.args };
    case 'approve':
      return { do: 'approve', question: args.args.question, scope: args.args.scope ?? 'once' };
    case 'deny':
      return { do: 'deny', question: args.args.question, reason: args.args.reason ?? '' };
    case 'resume':
      return resumeOf(args.args ?? {});
    case 'set':
      return { do: 'set', change: changeOf(args.args ?? {}) };
    case 'stop':
      return args.args?.restart === true ? { do: 'stop', restart: true } : { do: 'stop' };
    case 'interrupt':
      return { do: 'interrupt' };
  }
}

function resumeOf({
  add_cost: usd,
  add_tokens: tokens,
  add_time_ms: timeMs,
  force = false,
}: NonNullable<Extract<ControlArgs, { do: 'resume' }>['args']>): ActionRequest {
  const add = {
    ...(usd === undefined ? {} : { usd }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(timeMs === undefined ? {} : { timeMs }),
  };
  return {
    do: 'resume',
    ...(Object.keys(add).length === 0 ? {} : { add }),
    ...(force ? { force } : {}),
  };
}

function firstWrong(checks: Readonly<Record<string, Check>>, given: Fields): string | null {
  for (const key of Object.keys(given))
    if (!Object.hasOwn(checks, key)) return `args.${key.slice(0, 40)} is not known`;
  for (const [key, check] of Object.entries(checks)) {
    if (!(key in given) && !check.required) continue;
    if (!check.accepts(given[key])) return `args.${key} must be ${check.expected}`;
  }
  return null;
}

const isServed = (verb: unknown): verb is ControlVerb =>
  (SERVED_VERBS as readonly unknown[]).includes(verb);

const refuse = (id: number, code: ControlErrorCode, message: string): Refusal => ({
  kind: 'refused',
  id,
  code,
  message,
});

const asFields = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
