/** The holds of a session, each from when it was set to when it was lifted. */
import type { Millis } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';
import { holdKey, type Hold } from '../../messages/pause.js';
import type { HoldSpan } from './report.js';
import { iso } from './iso.js';

interface Span {
  readonly hold: Hold;
  readonly liftedAt: Millis | null;
}

export class HoldSpans {
  readonly #open = new Map<string, Hold>();
  readonly #closed: Span[] = [];

  apply(row: JournalRow): void {
    if (row.kind === 'hold.set') {
      const { hold } = row.body;
      const before = this.#open.get(holdKey(hold));
      // A hold that is set again goes on; only its reason or its end is another.
      this.#open.set(holdKey(hold), before === undefined ? hold : { ...hold, since: before.since });
    } else if (row.kind === 'hold.lifted') {
      const key = holdKey(row.body);
      const hold = this.#open.get(key);
      if (hold === undefined) return;
      this.#open.delete(key);
      this.#closed.push({ hold, liftedAt: row.ts });
    }
  }

  get open(): readonly Hold[] {
    return [...this.#open.values()];
  }

  /** Those that were set at some time from `from` to `until`, oldest first. */
  spans(from: Millis, until: Millis): HoldSpan[] {
    const open = this.open.map((hold): Span => ({ hold, liftedAt: null }));
    return [...this.#closed, ...open]
      .filter(({ liftedAt }) => liftedAt === null || liftedAt >= from)
      .toSorted((a, b) => a.hold.since - b.hold.since)
      .map(({ hold, liftedAt }) => ({
        kind: hold.kind,
        scope: hold.scope,
        reason: hold.reason,
        since: iso(hold.since),
        lifted_at: liftedAt === null ? null : iso(liftedAt),
        duration_ms: Math.max(0, (liftedAt ?? until) - hold.since),
        release: hold.release,
      }));
  }
}
