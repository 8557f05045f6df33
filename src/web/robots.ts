/** What sites ask robots not to fetch. The rules of a site are read once and kept for a while. */
import type { Answer } from './http-get.js';

export interface RobotRules {
  /** Why this page is not to be fetched; null: it may be. */
  refusal(page: URL): string | null;
}

/** How much of the rules is read, and how much work judging one page may be. */
export const ROBOTS_BYTES = 100_000;
const MAX_COMPARISONS = 10_000_000;
/** However many rules there are. */
const MIN_PATH = 100;

/** What the package really exports; its own types speak of another module system. */
type ParseRobots = (
  url: string,
  text: string,
) => { isAllowed(url: string, userAgent: string): boolean | undefined };

const KEPT_MS = 15 * 60_000;
const MAX_SITES = 50;

export class RobotsMemory {
  readonly #sites = new Map<string, { readonly until: number; readonly rules: RobotRules }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get(origin: string): RobotRules | null {
    const known = this.#sites.get(origin);
    return known !== undefined && known.until > this.#now() ? known.rules : null;
  }

  put(origin: string, rules: RobotRules): void {
    this.#sites.delete(origin);
    this.#sites.set(origin, { until: this.#now() + KEPT_MS, rules });
    const [oldest] = this.#sites.keys();
    if (this.#sites.size > MAX_SITES && oldest !== undefined) this.#sites.delete(oldest);
  }
}

/** What an answer for `robots.txt` means. A site without one allows all; one that is broken allows nothing. */
export async function rulesFrom(
  origin: string,
  { status, body }: Answer,
  userAgent: string,
): Promise<RobotRules> {
  if (status >= 500) {
    const message = `${origin}/robots.txt answers with status ${status}, so that nothing there may be fetched for now.`;
    return { refusal: () => message };
  }
  if (status >= 300) return { refusal: () => null };
  const parse = (await import('robots-parser')).default as unknown as ParseRobots;
  const text = body.toString('utf8');
  const robots = parse(`${origin}/robots.txt`, text);
  // Matching costs rules times path, on the thread that everything else runs on.
  const pathLimit = Math.max(MIN_PATH, Math.floor(MAX_COMPARISONS / Math.max(1, text.length)));
  return {
    refusal(page) {
      const path = `${page.pathname}${page.search}`.slice(0, pathLimit);
      if (robots.isAllowed(`${origin}${path}`, userAgent) !== false) return null;
      return `${origin}/robots.txt asks robots not to fetch ${page.pathname.slice(0, 200)}.`;
    },
  };
}
