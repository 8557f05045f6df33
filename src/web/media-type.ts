/** What kind of content an answer holds, and whether a model can read it. */

export interface MediaType {
  /** Such as `text/html`; empty when the server says nothing, or nothing sensible. */
  readonly name: string;
  /** In lower case; null when it is not given. */
  readonly charset: string | null;
}

const TYPE = /^\s*([\w.+-]{1,60}\/[\w.+-]{1,60})/;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i;

const READABLE =
  /^(?:text\/.+|application\/(?:(?:.+\+)?(?:json|xml)|markdown|xhtml|ld\+json|x-ndjson|yaml))$/;

export function readMediaType(header: string | undefined): MediaType {
  const name = TYPE.exec(header ?? '')?.[1]?.toLowerCase() ?? '';
  return { name, charset: CHARSET.exec(header ?? '')?.[1]?.toLowerCase() ?? null };
}

/** An answer of no named kind is read, and judged by its bytes. */
export const isReadable = ({ name }: MediaType): boolean => name === '' || READABLE.test(name);

const BEGINS_AS_HTML = /^\s*(?:<!doctype html|<html[\s>])/i;

export function isHtml({ name }: MediaType, text: string): boolean {
  if (name === '') return BEGINS_AS_HTML.test(text.slice(0, 1000));
  return name === 'text/html' || name === 'application/xhtml+xml';
}
