/**
 * What a configuration may say, section by section, as it is written in TOML. Strict: what is not named here
 * is an error. Each value's message says what was expected. Loads zod, so only the loader imports this.
 */
import { z } from 'zod';
import { DURATION_FORM, parseDuration, parseWait, WAIT_FORM } from './duration.js';
import { ENDPOINT_FORM, isEndpoint } from './endpoint.js';
import { endpointName, endpointsSchema } from './endpoint-schema.js';
import { GOAL_SCHEMA } from './goal-schema.js';
import { HOOKS_SCHEMA } from './hooks-schema.js';
import { isPrivateHost, PRIVATE_HOSTS_FORM, PORTS_FORM } from './private-hosts.js';
import { RETENTION_SCHEMA } from './retention.js';
import {
  COLOURS,
  LOG_FORMATS,
  LOG_LEVELS,
  PERMISSION_MODES,
  ROUTING_STRATEGIES,
  SANDBOX_MODES,
} from './settings.js';

const COST_FORM = 'a number of dollars above 0 and at most 1,000,000, or "none"';

const cost = z.union([z.number().gt(0).max(1_000_000), z.literal('none')], { error: COST_FORM });

const PRICE_FORM =
  'input and output, and if need be cached and cache_write, in dollars for a million tokens, from 0 to 10,000';

const dollarsPerMillion = () =>
  z.number({ error: PRICE_FORM }).min(0, { error: PRICE_FORM }).max(10_000, { error: PRICE_FORM });

const price = z.strictObject(
  {
    input: dollarsPerMillion(),
    output: dollarsPerMillion(),
    cached: dollarsPerMillion().optional(),
    cache_write: dollarsPerMillion().optional(),
  },
  { error: PRICE_FORM },
);

/** A limit of a day is no limit any more; a typing error is caught. */
const MAX_SECONDS = 86_400;

const seconds = () => {
  const error = `a number of seconds above 0 and at most ${MAX_SECONDS}`;
  return z.number({ error }).gt(0, { error }).max(MAX_SECONDS, { error });
};

const whole = (from: number, to: number) => {
  const error = `a whole number from ${from} to ${to}`;
  return z.int({ error }).min(from, { error }).max(to, { error });
};

const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: values.map((value) => `"${value}"`).join(' or ') });

const NAME_FORM = 'a model name without spaces, of at most 200 characters';
const modelName = () =>
  z.string({ error: NAME_FORM }).regex(/^[^\s\p{Cc}]{1,200}$/u, { error: NAME_FORM });
const NAMES_FORM = 'a list of model names such as ["small", "large"]';
const OVERRIDES_FORM = 'a table of rounds and model names such as { 1 = "large" }';
const RULES_FORM = 'a list of rules such as ["shell(npm test*)"]';

const listOf = <T extends z.ZodType>(item: T, error: string) => z.array(item, { error });

const rules = () =>
  z.array(z.string({ error: RULES_FORM }).min(1, { error: RULES_FORM }), { error: RULES_FORM });

const FOLDERS_FORM = 'a list of folders such as ["/home/me/lib", "~/docs", "../shared"]';

const folders = () =>
  z.array(z.string({ error: FOLDERS_FORM }).regex(/^[^\p{Cc}]+$/u, { error: FOLDERS_FORM }), {
    error: FOLDERS_FORM,
  });

const yesOrNo = () => z.boolean({ error: 'true or false' });

const duration = z
  .union([z.number(), z.string()], { error: DURATION_FORM })
  .refine((value) => parseDuration(String(value)) !== null, { error: DURATION_FORM });

export const SECTIONS = {
  model: z
    .strictObject({
      name: modelName(),
      small: modelName(),
      titles: yesOrNo(),
      base_url: z.string({ error: ENDPOINT_FORM }).refine(isEndpoint, { error: ENDPOINT_FORM }),
      endpoint: endpointName(),
      first_token_timeout: seconds(),
      silence_timeout: seconds(),
      retries: whole(0, 20),
      temperature: z
        .number({ error: 'a number from 0 to 2' })
        .min(0, { error: 'a number from 0 to 2' })
        .max(2, { error: 'a number from 0 to 2' }),
      max_tokens: whole(1, 10_000_000),
      max_wait: z
        .union([z.number(), z.string()], { error: WAIT_FORM })
        .refine((value) => parseWait(value) !== null, { error: WAIT_FORM }),
      fallback: z.array(modelName(), { error: NAMES_FORM }),
      max_in_flight: whole(1, 64),
      prompt_rate: whole(1, 1_000_000),
    })
    .partial(),
  routing: z
    .strictObject({
      strategy: oneOf(ROUTING_STRATEGIES),
      overrides: z.record(
        z.string().regex(/^[1-9]\d{0,5}$/, { error: OVERRIDES_FORM }),
        modelName(),
        {
          error: OVERRIDES_FORM,
        },
      ),
      cheap: modelName(),
      powerful: modelName(),
      switch_at: whole(1, 1_000_000),
    })
    .partial(),
  tools: z
    .strictObject({
      timeout: seconds(),
      shell_timeout: seconds(),
      // Below the minimum a result is little more than the notice that it was cut.
      max_result_bytes: whole(500, 10_000_000),
      add_dirs: folders(),
      read_dirs: folders(),
    })
    .partial(),
  web: z
    .strictObject({
      robots: yesOrNo(),
      private_hosts: listOf(
        z.string({ error: PRIVATE_HOSTS_FORM }).refine(isPrivateHost, {
          error: PRIVATE_HOSTS_FORM,
        }),
        PRIVATE_HOSTS_FORM,
      ),
      ports: listOf(
        z.int({ error: PORTS_FORM }).min(1, { error: PORTS_FORM }).max(65_535, {
          error: PORTS_FORM,
        }),
        PORTS_FORM,
      ),
      // Below the minimum not even the head of a page is read; beyond the maximum memory runs out.
      max_bytes: whole(1_000, 100_000_000),
      timeout: seconds(),
    })
    .partial(),
  agents: z
    .strictObject({
      max_at_once: whole(1, 100),
      max_alive: whole(1, 1_000),
      // Each level multiplies what one task can cost.
      max_depth: whole(1, 10),
    })
    .partial(),
  budget: z
    .strictObject({
      max_rounds: whole(1, 1_000_000),
      max_time: duration,
      session_cost: cost,
      day_cost: cost,
      month_cost: cost,
      session_tokens: whole(1, 1_000_000_000_000),
    })
    .partial(),
  /** By name or pattern of a model. */
  prices: z.record(z.string(), price),
  // Below the minimum not even the system prompt and the tools fit.
  context: z
    .strictObject({
      window: whole(4_096, 10_000_000),
      reply_tokens: whole(256, 1_000_000),
      tool_guides: yesOrNo(),
    })
    .partial(),
  permissions: z
    .strictObject({
      mode: oneOf(PERMISSION_MODES),
      allow: rules(),
      ask: rules(),
      deny: rules(),
    })
    .partial(),
  sandbox: z.strictObject({ mode: oneOf(SANDBOX_MODES), network: yesOrNo() }).partial(),
  undo: z
    .strictObject({
      // Beyond the maximum one file fills the memory it is read into.
      max_file_bytes: whole(0, 1_000_000_000),
      max_session_bytes: whole(0, 1_000_000_000_000),
      max_files: whole(0, 1_000_000),
    })
    .partial(),
  goal: GOAL_SCHEMA,
  hooks: HOOKS_SCHEMA,
  retention: RETENTION_SCHEMA,
  tui: z.strictObject({ colour: oneOf(COLOURS) }).partial(),
  log: z.strictObject({ level: oneOf(LOG_LEVELS), format: oneOf(LOG_FORMATS) }).partial(),
};

export const settingsSchema = z.strictObject({ ...SECTIONS, endpoints: endpointsSchema }).partial();

/** A configuration as it is written: what a file holds, and what the command line hands over. */
export type Settings = z.infer<typeof settingsSchema>;

/** Every key there is, as `section.key`, with the schema of its value. */
export const KEYS: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(SECTIONS).flatMap(([section, schema]) =>
    Object.entries('shape' in schema ? (schema.shape as Record<string, z.ZodType>) : {}).map(
      ([key, value]) => [`${section}.${key}`, value] as const,
    ),
  ),
);
