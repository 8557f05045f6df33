/** JSON that is safe to look at: what a terminal would obey is escaped, and the value stays the same. */

/** JSON itself does not ask for these; some readers also split lines at two of them. */
const OBEYED = /[\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** For text that is JSON already. */
export const inertJson = (json: string): string =>
  json.replace(OBEYED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A value as one line of JSON, without its line end. */
export const jsonLine = (value: object): string => inertJson(JSON.stringify(value));
