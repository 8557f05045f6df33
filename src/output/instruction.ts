/** What the model is told of the form its final answer must have, and of what was wrong with one. */

export type OutputSchema = Readonly<Record<string, unknown>>;

export const instructionFor = (schema: OutputSchema): string =>
  [
    'Your final answer must be one JSON value and nothing else: no words around it, no code fence. If you end',
    'by calling `submit`, put it into `summary`. It must fit this JSON Schema:',
    JSON.stringify(schema),
  ].join('\n');

/** Adds it to what a resumed session is told anyway. */
export const withInstruction = (notice: string | null, schema: OutputSchema): string =>
  notice === null ? instructionFor(schema) : `${notice}\n\n${instructionFor(schema)}`;

/** How a repair begins; by it the repairs of a turn are counted, also after a restart. */
const REPAIR = 'Your final answer is not what was asked for:';

export const repairText = (reason: string): string =>
  `${REPAIR}\n${reason}\nAnswer again with the whole JSON value and nothing else.`;

export const isRepair = (text: string): boolean => text.startsWith(REPAIR);
