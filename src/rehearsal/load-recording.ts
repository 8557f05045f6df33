/** Reads a recording as a scenario whose turns are the answers of the real server, in their order. */
import { z } from 'zod';
import type { ModelErrorKind } from '../../messages/model.js';
import type { Fault } from './fault.js';
import { RECORDING_VERSION } from './recording-form.js';
import type { Scenario, Turn } from './scenario.js';
import type { Compiled, Template } from './template.js';

const head = z.object({
  type: z.literal('recording'),
  v: z.number(),
  goal: z.string(),
  model: z.string(),
});

const request = { agent: z.string().min(1), side: z.boolean().default(false) };
const tokens = z.number().int().min(0);

const line = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('answer'),
    ...request,
    text: z.string(),
    reasoning: z.string().default(''),
    calls: z.array(z.object({ id: z.string(), name: z.string().min(1), arguments: z.string() })),
    usage: z.object({ promptTokens: tokens, completionTokens: tokens }).nullable().default(null),
    finish: z.string().default('unstated'),
  }),
  z.object({
    type: z.literal('failure'),
    ...request,
    kind: z.string(),
    status: z.number().int().min(400).max(599).nullable().default(null),
    message: z.string().default(''),
  }),
]);
type Line = z.infer<typeof line>;

/** What a file of this form begins with, and no TOML does. */
export const isRecording = (source: string): boolean => source.trimStart().startsWith('{');

/** A last line that is not whole is left out: its session ended while it was written. */
export function parseRecording(source: string): Compiled<Scenario> {
  const [first = '', ...rest] = source.split('\n');
  const begun = head.safeParse(jsonOf(first));
  if (!begun.success) return { ok: false, message: 'line 1: expected the head of a recording' };
  if (begun.data.v !== RECORDING_VERSION) {
    const known = `this program plays version ${RECORDING_VERSION}`;
    return { ok: false, message: `line 1: the recording has version ${begun.data.v}; ${known}` };
  }
  const turns: Turn[] = [];
  for (const [index, text] of rest.entries()) {
    if (text.trim() === '') continue;
    const value = jsonOf(text);
    if (value === undefined && index === rest.length - 1) continue;
    const read = line.safeParse(value);
    if (!read.success) return { ok: false, message: `line ${index + 2}: ${wrongIn(read.error)}` };
    turns.push(turnOf(read.data, turns.length + 1));
  }
  if (turns.length === 0) return { ok: false, message: 'the recording holds no answer' };
  const { goal, model } = begun.data;
  const description = `Answers of ${model}, played again.`;
  return { ok: true, value: { name: 'recorded', description, goal, turns, recorded: true } };
}

function wrongIn({ issues: [issue] }: z.ZodError): string {
  const at = issue?.path.join('.') ?? '';
  return `${at === '' ? '' : `key ${at}: `}${issue?.message ?? 'not a line of a recording'}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const fixed = (text: string): Template => ({ parts: [], fixed: text });

function turnOf(said: Line, number: number): Turn {
  const base = {
    number,
    when: { agent: said.agent, lastTool: null, contains: null, round: null },
    side: said.side,
    times: 1,
    pace: { chunk: 0, delayMs: 0, chunkDelayMs: 0 },
  };
  if (said.type === 'failure') {
    const nothing = { text: fixed(''), reasoning: fixed(''), calls: [], usage: null };
    return { ...base, ...nothing, fault: faultOf(said) };
  }
  const { text, reasoning, calls, usage, finish } = said;
  return {
    ...base,
    text: fixed(text),
    reasoning: fixed(reasoning),
    usage,
    // A server that reported no counts reports none again.
    fault: usage === null ? { kind: 'odd_usage', usage: 'missing' } : null,
    ...(finish === 'length' ? { finish } : {}),
    ...(finish === 'filtered' ? { finish: 'content_filter' } : {}),
    calls: calls.map(({ id, name, arguments: argumentsText }) => ({
      name,
      args: { kind: 'plain' as const, value: null },
      recorded: { id, argumentsText },
    })),
  };
}

const STATUS: Readonly<Partial<Record<ModelErrorKind, number>>> = {
  auth: 401,
  'not-found': 404,
  'bad-request': 400,
  'rate-limit': 429,
  overloaded: 529,
};

/** Nobody waits for what took long: a server that fell silent breaks off at once. */
function faultOf({ kind, status, message }: Extract<Line, { type: 'failure' }>): Fault {
  if (kind === 'context-overflow') return { kind: 'context_overflow', window: 1 };
  const known = status ?? STATUS[kind as ModelErrorKind] ?? null;
  if (known !== null) return { kind: 'status', status: known, retryAfter: AT_ONCE, body: null };
  switch (kind) {
    case 'empty':
      return { kind: 'empty' };
    case 'server':
      return { kind: 'error_in_200', message };
    default:
      return { kind: 'cut', after: null };
  }
}

const AT_ONCE = { form: 'seconds', seconds: 0 } as const;
