/** Pages that were read a short while ago, by the URL that was asked for. Bounded in number and in size. */

interface Kept<T> {
  readonly until: number;
  readonly bytes: number;
  readonly page: T;
}

const KEPT_MS = 15 * 60_000;
const MAX_PAGES = 50;
const MAX_BYTES = 20_000_000;

export class PageCache<T> {
  readonly #now: () => number;
  readonly #pages = new Map<string, Kept<T>>();
  #bytes = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get(url: string): T | null {
    const kept = this.#pages.get(url);
    if (kept === undefined) return null;
    if (kept.until > this.#now()) return kept.page;
    this.#forget(url);
    return null;
  }

  /** The oldest pages make room. One that is larger than the room is not kept. */
  put(url: string, page: T, bytes: number): void {
    this.#forget(url);
    if (bytes > MAX_BYTES) return;
    this.#pages.set(url, { until: this.#now() + KEPT_MS, bytes, page });
    this.#bytes += bytes;
    for (const [oldest] of this.#pages) {
      if (this.#pages.size <= MAX_PAGES && this.#bytes <= MAX_BYTES) return;
      this.#forget(oldest);
    }
  }

  #forget(url: string): void {
    this.#bytes -= this.#pages.get(url)?.bytes ?? 0;
    this.#pages.delete(url);
  }
}
