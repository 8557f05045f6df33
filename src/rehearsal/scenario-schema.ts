/**
 * What a scenario file may say. Strict: an unknown key is an error that lists the known ones. Templates and
 * patterns are compiled here, so that a mistake in one is found when the file is read, at its key.
 */
import { z } from 'zod';
import type { Fault, RetryAfter } from './fault.js';
import { compilePattern, compileTemplate } from './template.js';
import type { Template } from './template.js';
import type { ArgumentTree, Conditions, Scenario, TextTest, Turn } from './scenario.js';

/** The longest pause a turn may make: an hour is beyond every time limit that a client has. */
const MAX_DELAY_MS = 3_600_000;

const table = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown key ${issue.keys.join(', ')}; known here: ${Object.keys(shape).join(', ')}`
        : undefined,
  });

const template = z.string().transform((source, context): Template => {
  const compiled = compileTemplate(source);
  if (compiled.ok) return compiled.value;
  context.addIssue(compiled.message);
  return z.NEVER;
});
const nothing: Template = { parts: [], fixed: '' };

const count = z.number().int().min(0);
const delay = count.max(MAX_DELAY_MS);

/** `/regex/flags`, or any other text, which is then looked for as it stands. */
const textTest = z.string().transform((source, context): TextTest => {
  const [, pattern, flags] = /^\/(.+)\/([imsu]*)$/s.exec(source) ?? [];
  if (pattern === undefined) return { source, accepts: (text) => text.includes(source) };
  const compiled = compilePattern(pattern, flags ?? '');
  if (compiled.ok) return { source, accepts: (text) => compiled.value.test(text) };
  context.addIssue(compiled.message);
  return z.NEVER;
});

const conditions = table({
  agent: z
    .string()
    .regex(
      /^(main|sub|sub-\d+|page-reader|titler)$/,
      'expected "main", "sub" (any sub-agent), one such as "sub-1", "page-reader" or "titler"',
    )
    .optional(),
  last_tool: z.string().min(1).optional(),
  contains: textTest.optional(),
  round: z.number().int().min(1).optional(),
}).transform((when): Conditions => ({
  agent: when.agent ?? null,
  lastTool: when.last_tool ?? null,
  contains: when.contains ?? null,
  round: when.round ?? null,
}));
const always: Conditions = { agent: null, lastTool: null, contains: null, round: null };

const argumentTree = z.unknown().transform((value, context): ArgumentTree => {
  const problems: string[] = [];
  const tree = treeOf(value, problems);
  for (const problem of problems) context.addIssue(problem);
  return tree;
});

function treeOf(value: unknown, problems: string[]): ArgumentTree {
  if (typeof value === 'string') {
    const compiled = compileTemplate(value);
    if (!compiled.ok) problems.push(compiled.message);
    return { kind: 'text', template: compiled.ok ? compiled.value : nothing };
  }
  if (Array.isArray(value)) {
    return { kind: 'list', items: value.map((item: unknown) => treeOf(item, problems)) };
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    return { kind: 'plain', value };
  }
  const entries = Object.entries(value).map(
    ([key, inner]) => [key, treeOf(inner, problems)] as const,
  );
  return { kind: 'table', entries };
}

const call = table({
  name: z.string().min(1),
  args: z
    .record(z.string(), argumentTree)
    .default({})
    .transform((args): ArgumentTree => ({ kind: 'table', entries: Object.entries(args) })),
});

/** What a llama-server is started with unless it is told otherwise. */
const LLAMA_SERVER_WINDOW = 4_096;

const FAULT_SHAPES = [
  table({
    kind: z.literal('status'),
    status: z.number().int().min(400).max(599),
    retry_after: z.union([z.number().min(0), z.string().min(1)]).optional(),
    retry_after_date: z.number().optional(),
    body: z.string().optional(),
  }),
  table({ kind: z.literal('hang') }),
  table({ kind: z.literal('hang_before_headers') }),
  table({ kind: z.literal('silence'), after: count.optional() }),
  table({
    kind: z.literal('context_overflow'),
    window: z.number().int().min(1).default(LLAMA_SERVER_WINDOW),
  }),
  table({ kind: z.literal('cut'), after: count.optional() }),
  table({ kind: z.literal('bad_json'), arguments: z.string().optional() }),
  table({ kind: z.literal('cut_arguments') }),
  table({
    kind: z.literal('text_calls'),
    form: z.enum(['tags', 'fence', 'bare']).default('tags'),
  }),
  table({
    kind: z.literal('odd_usage'),
    usage: z.enum(['missing', 'null', 'negative', 'nan']).default('missing'),
  }),
  table({
    kind: z.literal('late_ids'),
    ids: z.enum(['late', 'repeated', 'changing', 'absent']).default('late'),
  }),
  table({ kind: z.literal('no_index') }),
  table({ kind: z.literal('same_index') }),
  table({ kind: z.literal('whole_arguments') }),
  table({ kind: z.literal('split_arguments') }),
  table({
    kind: z.literal('error_in_200'),
    message: z.string().default('the scripted server failed in the middle of its answer'),
  }),
  table({ kind: z.literal('empty') }),
  table({ kind: z.literal('no_done') }),
] as const;

const fault = z
  .discriminatedUnion('kind', FAULT_SHAPES, {
    error: `expected one of ${FAULT_SHAPES.map((shape) => shape.shape.kind.value).join(', ')}`,
  })
  .transform((given): Fault => {
    switch (given.kind) {
      case 'status': {
        const { kind, status, retry_after: after, retry_after_date: date, body = null } = given;
        return { kind, status, retryAfter: retryAfterOf(after, date), body };
      }
      case 'cut':
      case 'silence':
        return { kind: given.kind, after: given.after ?? null };
      case 'bad_json':
        return { kind: 'bad_json', arguments: given.arguments ?? null };
      default:
        return given;
    }
  });

function retryAfterOf(
  after: number | string | undefined,
  date: number | undefined,
): RetryAfter | null {
  if (date !== undefined) return { form: 'date', seconds: date };
  if (after === undefined) return null;
  return typeof after === 'number'
    ? { form: 'seconds', seconds: after }
    : { form: 'text', text: after };
}

const pace = {
  chunk: count.optional(),
  delay_ms: delay.optional(),
  chunk_delay_ms: delay.optional(),
};

const turn = table({
  when: conditions.default(always),
  text: template.default(nothing),
  reasoning: template.default(nothing),
  calls: z.array(call).default([]),
  fault: fault.nullable().default(null),
  times: z
    .number()
    .int()
    .refine((times) => times === -1 || times >= 1, 'expected 1 or more, or -1 for without end')
    .default(1),
  usage: table({ prompt_tokens: count, completion_tokens: count }).optional(),
  ...pace,
}).refine(
  (given) => given.text.fixed !== '' || given.calls.length > 0 || given.fault !== null,
  'expected a text, calls or a fault: a turn without any of them says nothing',
);

/** The paces at the top hold for every turn that does not have its own. */
export const scenarioSchema = table({
  name: z.string().regex(/^[\w.-]+$/, 'expected letters, digits, dots, dashes or underscores'),
  description: z.string().default(''),
  goal: z.string().min(1),
  ...pace,
  turn: z.array(turn).min(1, 'expected at least one [[turn]]'),
}).transform((file): Scenario => ({
  name: file.name,
  description: file.description,
  goal: file.goal,
  turns: file.turn.map((given, index): Turn => ({
    number: index + 1,
    when: given.when,
    text: given.text,
    reasoning: given.reasoning,
    calls: given.calls,
    fault: given.fault,
    times: given.times === -1 ? Infinity : given.times,
    pace: {
      chunk: given.chunk ?? file.chunk ?? 0,
      delayMs: given.delay_ms ?? file.delay_ms ?? 0,
      chunkDelayMs: given.chunk_delay_ms ?? file.chunk_delay_ms ?? 0,
    },
    usage: given.usage
      ? {
          promptTokens: given.usage.prompt_tokens,
          completionTokens: given.usage.completion_tokens,
        }
      : null,
  })),
}));
