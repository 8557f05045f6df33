/** How much of what sessions leave behind is kept: `[retention]`, for `ouro sessions prune`. */
import { z } from 'zod';
import { parseSize, SIZE_FORM } from './byte-size.js';
import { DEFAULTS, type Config } from './settings.js';

const whole = (to: number) => {
  const error = `a whole number from 1 to ${to}`;
  return z.int({ error }).min(1, { error }).max(to, { error });
};

export const RETENTION_SCHEMA = z
  .strictObject({
    // Ten years: whoever wants more does not prune.
    days: whole(3_650),
    per_workspace: whole(100_000),
    max_bytes: z
      .union([z.number(), z.string()], { error: SIZE_FORM })
      .refine((value) => parseSize(String(value)) !== null, { error: SIZE_FORM }),
  })
  .partial();

export function retentionOf(settings: z.infer<typeof RETENTION_SCHEMA> = {}): Config['retention'] {
  const { days, perWorkspace, maxBytes } = DEFAULTS.retention;
  const { max_bytes: written } = settings;
  return {
    days: settings.days ?? days,
    perWorkspace: settings.per_workspace ?? perWorkspace,
    maxBytes: (written === undefined ? null : parseSize(String(written))) ?? maxBytes,
  };
}
