/**
 * What the server says, as lines. No line is longer than the protocol allows: a snapshot loses its oldest
 * log entries first, a result the end of its text; an event that cannot be shortened is null, not sent.
 */
import { MAX_LINE_BYTES } from '../../messages/control.js';
import type {
  ControlErrorCode,
  ControlEvent,
  ControlReply,
  Hello,
  Pulsed,
} from '../../messages/control.js';
import type { ActionResult } from '../../messages/actions.js';
import type { RunResult } from '../../messages/result.js';
import type { Snapshot } from '../../messages/snapshot.js';

/** What stands around a snapshot in a line, generously. */
const ENVELOPE_BYTES = 256;
const SNAPSHOT_BYTES = MAX_LINE_BYTES - ENVELOPE_BYTES;
/** Characters that are left of one text when nothing else made the line fit. */
const SHORT_TEXT = 16 * 1024;
/** What is shortened, in this order: the log is in the journal, and the calls are what is happening now. */
const LISTS = ['log', 'discoveries', 'agents', 'calls'] as const;

export const helloLine = (hello: Hello): string => JSON.stringify(hello);

export const replyLine = (id: number, data: ActionResult | Pulsed | null): string =>
  JSON.stringify({ id, ok: true, data } satisfies ControlReply);

export const refusalLine = (id: number, code: ControlErrorCode, message: string): string =>
  JSON.stringify({ id, ok: false, error: { code, message } } satisfies ControlReply);

export const laggedLine = (dropped: number): string =>
  JSON.stringify({ ev: 'lagged', data: { dropped } } satisfies ControlEvent);

/** Null: it is longer than a line may be. */
export function eventLine(event: ControlEvent): string | null {
  const line = JSON.stringify(event);
  return fits(line, MAX_LINE_BYTES) ? line : null;
}

export function byeLine(result: RunResult | null): string {
  const short = result && { ...result, text: shorten(result.text) };
  return (
    eventLine({ ev: 'bye', data: { result } }) ??
    eventLine({ ev: 'bye', data: { result: short } }) ??
    '{"ev":"bye","data":{"result":null}}'
  );
}

/** Encodes a snapshot once for all who are sent it. */
export class SnapshotLines {
  #of: Snapshot | null = null;
  #json: string | null = null;

  /** Null: nothing that may be left out makes it fit. */
  event(snapshot: Snapshot): string | null {
    const json = this.#encoded(snapshot);
    return json && `{"ev":"snapshot","data":${json}}`;
  }

  reply(id: number, snapshot: Snapshot): string | null {
    const json = this.#encoded(snapshot);
    return json && `{"id":${id},"ok":true,"data":${json}}`;
  }

  #encoded(snapshot: Snapshot): string | null {
    if (this.#of !== snapshot) {
      this.#json = encode(snapshot);
      this.#of = snapshot;
    }
    return this.#json;
  }
}

function encode(snapshot: Snapshot): string | null {
  const whole = JSON.stringify(snapshot);
  if (fits(whole, SNAPSHOT_BYTES)) return whole;
  let rest: Snapshot = snapshot;
  for (const list of LISTS) {
    const without: Snapshot = { ...rest, [list]: [] };
    const room = SNAPSHOT_BYTES - Buffer.byteLength(JSON.stringify(without));
    if (room >= 0) return JSON.stringify({ ...without, [list]: newest(rest[list], room) });
    rest = without;
  }
  const { goal, result } = rest;
  const bare = JSON.stringify({ ...rest, goal: shorten(goal), result: result && shorten(result) });
  return fits(bare, SNAPSHOT_BYTES) ? bare : null;
}

/** As many items from the end as `room` bytes hold. */
function newest(items: readonly unknown[], room: number): readonly unknown[] {
  let left = room;
  let from = items.length;
  while (from > 0) {
    const comma = 1;
    left -= Buffer.byteLength(JSON.stringify(items[from - 1])) + comma;
    if (left < 0) break;
    from -= 1;
  }
  return items.slice(from);
}

const fits = (text: string, bytes: number): boolean =>
  // A character is at most three bytes of UTF-8, so most texts need no counting.
  text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes;

const shorten = (text: string): string =>
  text.length > SHORT_TEXT ? `${text.slice(0, SHORT_TEXT)} [shortened]` : text;
