/** The addresses a page may be asked for under: http(s), without credentials, of ordinary length. */

export type ReadUrl =
  { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly message: string };

/** Longer ones carry data rather than a name. */
const MAX_URL_LENGTH = 4000;

const SHOWN_LENGTH = 200;

/** The fragment is left out: it never reaches a server. */
export function readPageUrl(text: string, base?: URL): ReadUrl {
  const shown = text.slice(0, SHOWN_LENGTH).replace(/[^ -~]/g, '?');
  if (text.length > MAX_URL_LENGTH) {
    return no(`the URL has ${text.length} characters, and at most ${MAX_URL_LENGTH} are allowed.`);
  }
  if (!URL.canParse(text, base?.href)) {
    return no(`"${shown}" is not a URL. Give one such as https://example.com/page.`);
  }
  const url = new URL(text, base?.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return no(`"${url.protocol}" URLs are not fetched, only http: and https:.`);
  }
  if (url.username !== '' || url.password !== '') {
    return no('URLs with a user name or a password are not fetched.');
  }
  url.hash = '';
  // "localhost." is localhost.
  url.hostname = url.hostname.replace(/\.+$/, '');
  return { ok: true, url };
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

export const isRedirect = (status: number): boolean => REDIRECTS.includes(status);

/** Where an answer sends its reader. */
export function readRedirect(from: URL, location: string | undefined): ReadUrl {
  if (location === undefined) return no(`${from.host} redirects without saying where to.`);
  const target = readPageUrl(location, from);
  if (!target.ok) return no(`${from.host} redirects, but ${target.message}`);
  if (from.protocol === 'https:' && target.url.protocol === 'http:') {
    return no(`${from.host} redirects from https: to http:, which is not followed.`);
  }
  return target;
}

const no = (message: string): ReadUrl => ({ ok: false, message });
