/** Reads the file of `--output-schema` and says before anything starts what is wrong with it. */
import { readFileSync, statSync } from 'node:fs';
import { compileSchema } from '../output/schema.js';
import type { OutputSchema } from '../output/instruction.js';
import type { Ending } from '../session/ending.js';

/** It is told to the model and kept in the journal; no schema that a model can follow is longer. */
const MAX_SCHEMA_BYTES = 256 * 1024;

export type ReadSchema =
  | { readonly ok: true; readonly schema: OutputSchema }
  | { readonly ok: false; readonly ending: Ending };

export function readOutputSchema(file: string): ReadSchema {
  const read = parsed(file);
  if (typeof read === 'string') return refused(file, read);
  const compiled = compileSchema(read.schema);
  return compiled.ok
    ? { ok: true, schema: read.schema }
    : refused(file, `it is not a JSON Schema: ${compiled.reason}`);
}

const refused = (file: string, why: string): ReadSchema => ({
  ok: false,
  ending: {
    status: 'bad_input',
    reason: `--output-schema ${file} cannot be used: ${why}`,
    text: '',
  },
});

/** Text: why it cannot be read. */
function parsed(file: string): { readonly schema: OutputSchema } | string {
  try {
    const { size } = statSync(file);
    if (size > MAX_SCHEMA_BYTES) return `it is longer than ${MAX_SCHEMA_BYTES / 1024} KB`;
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return 'it must hold one JSON object';
    }
    return { schema: { ...value } };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
