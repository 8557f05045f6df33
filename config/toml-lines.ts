/**
 * Finds the line of a key in TOML text, for messages. Reads lines, not grammar: a key inside a string of
 * several lines can mislead it, which costs a wrong line number and nothing else. Imports nothing.
 */

/** From 1; null when it is not found. `path` is a section, or a section and a key. */
export function lineOfKey(text: string, path: readonly string[]): number | null {
  let table: readonly string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[{1,2}\s*([^\]]*?)\s*\]/.exec(line);
    if (header !== null) {
      table = dotted(header[1] ?? '');
      if (startsWith(table, path)) return index + 1;
      continue;
    }
    const key =
      /^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=(.*)/.exec(line);
    if (key === null) continue;
    const full = [...table, ...dotted(key[1] ?? '')];
    if (startsWith(full, path)) return index + 1;
    // `model = { name = "x" }` holds its keys on the same line.
    if (startsWith(path, full) && inlineTableHolds(key[2] ?? '', path.slice(full.length)))
      return index + 1;
  }
  return null;
}

/** The line of one text in the list under a key; of the key where the text is written in another way. */
export function lineOfItem(text: string, path: readonly string[], item: string): number | null {
  const first = lineOfKey(text, path);
  if (first === null) return null;
  const forms = [`'${item}'`, JSON.stringify(item)];
  for (const [index, line] of text
    .split('\n')
    .slice(first - 1)
    .entries()) {
    if (forms.some((form) => line.includes(form))) return first + index;
    // Behind the end of the list stands something else.
    if (/\]\s*(#.*)?$/.test(line)) break;
  }
  return first;
}

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((part, index) => path[index] === part);

const dotted = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );

function inlineTableHolds(value: string, path: readonly string[]): boolean {
  const wanted = path[0];
  return (
    value.trimStart().startsWith('{') &&
    wanted !== undefined &&
    [...value.matchAll(/["']?([\w-]+)["']?\s*=/g)].some((match) => match[1] === wanted)
  );
}
