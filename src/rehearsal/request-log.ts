/** The newest requests of a server with their times, for tests and measurements; bounded in number and bytes. */

/** Enough for every round of the longest benchmark, at about 200 bytes each. */
const MAX_REQUESTS = 20_000;
/** Bodies are kept for tests; a long session's are as large as its history, so only the newest stay. */
const MAX_BODY_CHARS = 4_000_000;

export interface RecordedRequest {
  /** From 1. */
  readonly number: number;
  /** When its head arrived: milliseconds since the Unix epoch, with fractions. */
  readonly receivedAt: number;
  /** When the last byte of its answer was sent; null: not yet, or it was broken off. */
  readonly answeredAt: number | null;
  readonly agent: string;
  /** 0: the body could not be read. */
  readonly round: number;
  readonly messages: number;
  /** Since this place of the conversation last got a whole answer; from 1. */
  readonly attempt: number;
  /** The turn that answered, from 1; null: none did. */
  readonly turn: number | null;
  /** Null: nothing was sent, not even a status. */
  readonly status: number | null;
  /** As received; null once it was dropped for newer ones. */
  readonly body: string | null;
}

export interface RehearsalEvent {
  readonly type: 'received' | 'answered' | 'broken-off';
  readonly request: RecordedRequest;
}

/** Must not throw. */
export type RehearsalListener = (event: RehearsalEvent) => void;

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class RequestLog {
  readonly #requests: Mutable<RecordedRequest>[] = [];
  readonly #listeners = new Set<RehearsalListener>();
  readonly #withBodies: Mutable<RecordedRequest>[] = [];
  #bodyChars = 0;
  #count = 0;

  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  on(listener: RehearsalListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  open(receivedAt: number, agent: string): Mutable<RecordedRequest> {
    this.#count += 1;
    const known = { number: this.#count, receivedAt, agent };
    const unknown = { answeredAt: null, turn: null, status: null, body: null };
    const request = { ...known, ...unknown, round: 0, messages: 0, attempt: 1 };
    this.#requests.push(request);
    if (this.#requests.length > MAX_REQUESTS) this.#requests.shift();
    return request;
  }

  keepBody(request: Mutable<RecordedRequest>, body: string): void {
    request.body = body;
    this.#withBodies.push(request);
    this.#bodyChars += body.length;
    while (this.#bodyChars > MAX_BODY_CHARS && this.#withBodies.length > 1) {
      const oldest = this.#withBodies.shift();
      this.#bodyChars -= oldest?.body?.length ?? 0;
      if (oldest !== undefined) oldest.body = null;
    }
  }

  tell(type: RehearsalEvent['type'], request: RecordedRequest): void {
    for (const listener of this.#listeners) listener({ type, request });
  }
}
