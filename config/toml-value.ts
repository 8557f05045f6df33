/** A value as it is written in TOML, on one line. Imports nothing. */

export function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return String(value);
  const parts = Object.entries(value).map(([key, inner]) => `${keyOf(key)} = ${tomlValue(inner)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

const keyOf = (key: string): string => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));
