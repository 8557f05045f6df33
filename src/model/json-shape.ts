/** Readers for JSON of unknown origin: what is not as hoped for reads as absent. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An empty record when it is none. */
export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** Empty when it is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Empty when it is none. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
