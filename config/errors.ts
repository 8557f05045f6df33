/** What is wrong with a configuration, where, and what was expected. Text from files is made safe to print. */

export interface ConfigError {
  /** A path, `environment OURO_X` or `flag --x`. */
  readonly file: string;
  /** Null: it is not in a file, or the line could not be found. */
  readonly line: number | null;
  /** `section.key`; empty when the whole file is meant. */
  readonly key: string;
  readonly expected: string;
  /** The value as it stands; left out for unknown keys, whose values may be secrets. */
  readonly got?: string;
  /** A whole sentence, without the place. */
  readonly message: string;
}

/** Longer values are cut: the reader has the file. */
const MAX_SHOWN = 80;

/** One line that no terminal acts on. */
export function printable(text: string): string {
  return escaped(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}

/** The whole of it, as one line that no terminal acts on. */
export function escaped(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** A value for a message; the credentials of an address are left out. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  );
  return printable(text.replace(/\/\/[^/@\s"]*@/g, '//…@'));
}

/** One line for each error, the place first, so that editors can jump to it. */
export function formatConfigErrors(errors: readonly ConfigError[]): string {
  return errors
    .map(({ file, line, message }) => {
      const place = line === null ? file : `${file}:${line}`;
      return `${place}: ${message}`;
    })
    .join('\n');
}
