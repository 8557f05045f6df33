/** Follows redirects to the answer behind them; every hop is checked as the first one was. */
import { failed, refused, type Ending } from './ending.js';
import type { Answer, GetLimits, GetRequest, HttpGet } from './http-get.js';
import { isRedirect, readRedirect } from './page-url.js';

/** Aborted: by the signal; whoever gave it knows why. */
export type Stopped = Ending | { readonly kind: 'aborted' };

export type Followed =
  | { readonly ok: true; readonly url: URL; readonly answer: Answer }
  | { readonly ok: false; readonly why: Stopped };

export interface Route {
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: GetLimits;
  readonly redirects: number;
  /** Why this URL must not be asked; null: it may be. `isFirst`: nothing has redirected to it. */
  check(url: URL, isFirst: boolean): Promise<Stopped | null>;
  readonly wantsBody: GetRequest['wantsBody'];
}

export async function follow(
  get: HttpGet,
  start: URL,
  route: Route,
  signal: AbortSignal,
): Promise<Followed> {
  let url = start;
  for (let hop = 0; hop <= route.redirects; hop += 1) {
    const stopped = await route.check(url, hop === 0);
    if (stopped !== null) return { ok: false, why: stopped };
    const { headers, limits } = route;
    const wantsBody: Route['wantsBody'] = (head) =>
      !isRedirect(head.status) && route.wantsBody(head);
    const end = await get({ url, headers, limits, wantsBody }, signal);
    if (end.kind !== 'answered') return { ok: false, why: end };
    if (!isRedirect(end.answer.status)) return { ok: true, url, answer: end.answer };
    const next = readRedirect(url, end.answer.headers.location);
    if (!next.ok) return { ok: false, why: refused(next.message) };
    url = next.url;
  }
  const message = `${start.host} redirects more than ${route.redirects} times.`;
  return { ok: false, why: failed(message) };
}
