/**
 * Judges values by a JSON Schema of a person's: draft 2020-12, or draft 7 or 6 where it says so itself. Formats
 * are annotations, as in the standard. Loads the validator, so only what needs it imports this.
 */
import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OutputSchema } from './instruction.js';

/** Errors a model is shown at once; it mends the first and finds the others gone or comes back. */
const MAX_SHOWN = 10;
const MAX_ERROR_CHARS = 300;

/** A value's errors in words; empty: it fits. */
export type Validator = (value: unknown) => readonly string[];

export type CompiledSchema =
  | { readonly ok: true; readonly validate: Validator }
  | { readonly ok: false; readonly reason: string };

const OPTIONS: Options = {
  allErrors: true,
  // Words it does not know are annotations, as in the standard.
  strict: false,
  validateFormats: false,
  // It would write to the terminal; what it has to say comes back as an error.
  logger: false,
};

const OLD_DRAFT = /^http:\/\/json-schema\.org\/draft-0[67]\/schema#?$/;

export function compileSchema(schema: OutputSchema): CompiledSchema {
  const { $schema: dialect } = schema;
  const isOld = typeof dialect === 'string' && OLD_DRAFT.test(dialect);
  try {
    // Its own name for itself would be looked up, and two drafts share one validator.
    const { $schema: _, ...bare } = schema;
    const known = dialect === undefined || isOld || isNewest(dialect);
    if (!known)
      return {
        ok: false,
        reason: `its $schema is ${JSON.stringify(dialect)}; known are draft 2020-12, 7 and 6`,
      };
    const judge = (isOld ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS)).compile(bare);
    return { ok: true, validate: (value) => (judge(value) ? [] : wordsOf(judge.errors ?? [])) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

const isNewest = (dialect: unknown): boolean =>
  typeof dialect === 'string' &&
  /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(dialect);

const wordsOf = (errors: readonly ErrorObject[]): readonly string[] => {
  const shown = errors.slice(0, MAX_SHOWN).map(({ instancePath, message, params }) => {
    const at = instancePath === '' ? 'the value' : instancePath;
    return `${at} ${message ?? 'does not fit'} ${JSON.stringify(params)}`.slice(0, MAX_ERROR_CHARS);
  });
  const rest = errors.length - shown.length;
  return rest > 0 ? [...shown, `and ${rest} more`] : shown;
};
