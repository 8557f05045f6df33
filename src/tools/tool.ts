/**
 * What a tool is. `defineTool` ties a schema to its behaviour, so that everything behind `bind` works on
 * checked arguments and nothing in front of it needs to know their type.
 */
import type { z } from 'zod';
import type { CallContext } from '../../actors/ports.js';
import type { AgentId } from '../../messages/ids.js';
import type { Effect, ToolOutcome } from '../../messages/tools.js';
import type { Target } from './paths.js';
import type { Truncation } from './truncate.js';

/** The path a call is about. It is checked before anything else happens. */
export interface PathUse {
  readonly path: string;
  readonly access: 'read' | 'write';
}

/** What a running call works with. */
export interface ToolRun extends CallContext {
  /** The path the call names; the workspace itself when it names none. */
  readonly target: Target;
  /** The folder a command starts in. */
  readonly cwd: string;
  /** The longest text worth returning; more is cut off. */
  readonly maxBytes: number;
}

/** `stopped`: the signal ended it; `text` is what there was until then. */
export type ToolResult = ToolOutcome | { readonly status: 'stopped'; readonly text: string };

/** One call with checked arguments. */
export interface BoundCall {
  /** With defaults filled in; always the same for the same call. */
  readonly args: unknown;
  /** Null: the call is about no path. */
  readonly path: PathUse | null;
  /** Why it must not run, whatever the rules say; null when nothing speaks against it. */
  readonly refusal: string | null;
  /** What the rules judge it by; null: its path. */
  readonly subject: string | null;
  /** What it is about, for people. */
  readonly about: string;
  /** Null: the general limit. */
  readonly limitMs: number | null;
  locks(target: Target, agent: AgentId): readonly string[];
  /** The folder it starts in; null: the workspace. */
  cwd(target: Target, agent: AgentId): string | null;
  /** May throw: the dispatcher is the one place where that becomes an outcome. */
  execute(run: ToolRun): Promise<ToolResult>;
}

export type Bound =
  | { readonly ok: true; readonly call: BoundCall }
  | { readonly ok: false; readonly issues: readonly string[] };

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  /** It waits for something outside of the executor, and has no time limit of its own. */
  readonly waits: boolean;
  /** The same call again may be answered from memory, as long as nothing has changed. */
  readonly isCached: boolean;
  readonly truncation: Truncation;
  /** What a model is shown; more than this may be understood. */
  readonly schema: z.ZodObject;
  bind(args: unknown): Bound;
}

interface ToolSpec<S extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly schema: S;
  /** What a model is shown, where that is not the whole schema. */
  readonly advertised?: z.ZodObject;
  readonly waits?: boolean;
  readonly isCached?: boolean;
  readonly truncation?: Truncation;
  path?(args: z.output<S>): PathUse | null;
  refusal?(args: z.output<S>): string | null;
  subject?(args: z.output<S>): string;
  about(args: z.output<S>): string;
  limitMs?(args: z.output<S>): number;
  locks?(args: z.output<S>, target: Target, agent: AgentId): readonly string[];
  cwd?(args: z.output<S>, target: Target, agent: AgentId): string;
  execute(args: z.output<S>, run: ToolRun): Promise<ToolResult> | ToolResult;
}

/** Share of a cut text that is taken from its end, where a tool does not say otherwise. */
const TAIL_RATIO = 0.4;

const MAX_ISSUES = 5;

export function defineTool<S extends z.ZodObject>(spec: ToolSpec<S>): Tool {
  return {
    name: spec.name,
    description: spec.description,
    effect: spec.effect,
    waits: spec.waits ?? false,
    isCached: spec.isCached ?? false,
    truncation: spec.truncation ?? { kind: 'headAndTail', tailRatio: TAIL_RATIO },
    schema: spec.advertised ?? spec.schema,
    bind(args) {
      const parsed = spec.schema.safeParse(args);
      if (parsed.success) return { ok: true, call: bindCall(spec, parsed.data) };
      return { ok: false, issues: parsed.error.issues.slice(0, MAX_ISSUES).map(describeIssue) };
    },
  };
}

function bindCall<S extends z.ZodObject>(spec: ToolSpec<S>, args: z.output<S>): BoundCall {
  return {
    args,
    path: spec.path?.(args) ?? null,
    refusal: spec.refusal?.(args) ?? null,
    subject: spec.subject?.(args) ?? null,
    about: spec.about(args),
    limitMs: spec.limitMs?.(args) ?? null,
    locks: (target, agent) => spec.locks?.(args, target, agent) ?? [],
    cwd: (target, agent) => spec.cwd?.(args, target, agent) ?? null,
    execute: async (run) => spec.execute(args, run),
  };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  return `${where}${issue.message}`;
}
