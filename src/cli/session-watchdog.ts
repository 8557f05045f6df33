/**
 * Notices sessions whose process lives and no longer works, and ends it, so that their guardian starts them
 * again. A session works when a question goes through its socket, its coordinator and its journal, and comes
 * back. One that waits for whatever reason answers all the same; one that somebody has stopped on purpose
 * (SIGSTOP) is left alone.
 */
import { shortId, type SessionId } from '../../messages/ids.js';
import { sessionLock } from '../store/layout.js';
import { readOwner } from '../store/lock.js';
import { isHalted } from '../store/process-identity.js';
import { reach } from './ask-session.js';
import type { StandingSession } from './liveness.js';
import { killSession } from './verified-kill.js';

/** A machine that is very busy, or a disk that is very slow, may take this long. */
const ANSWER_MS = 20_000;

/** With a look every minute: a session is without an answer for two minutes at least. */
export const MOST_MISSES = 3;

export interface WatchdogParts {
  readonly home: string;
  readonly answerMs?: number;
  /** What was done, for whoever reads the service's log. */
  readonly note: (line: string) => void;
}

export class SessionWatchdog {
  readonly #parts: WatchdogParts;
  readonly #misses = new Map<SessionId, number>();

  constructor(parts: WatchdogParts) {
    this.#parts = parts;
  }

  /** Asks all of these that live, at the same time. */
  async look(sessions: readonly StandingSession[]): Promise<void> {
    const live = sessions.filter((session) => session.live);
    for (const id of this.#misses.keys())
      if (!live.some((session) => session.id === id)) this.#misses.delete(id);
    await Promise.all(live.map((session) => this.#lookAt(session)));
  }

  async #lookAt(session: StandingSession): Promise<void> {
    const { id } = session;
    const owner = readOwner(sessionLock(this.#parts.home, id));
    if ((owner !== null && isHalted(owner.pid)) || (await this.#answers(session))) {
      this.#misses.delete(id);
      return;
    }
    const misses = (this.#misses.get(id) ?? 0) + 1;
    this.#misses.set(id, misses);
    if (misses < MOST_MISSES) return;
    this.#misses.delete(id);
    const killed = await killSession(this.#parts.home, id);
    const became = killed.ok ? `killed process ${killed.pid}` : killed.reason;
    this.#parts.note(`${shortId(id)}: it did not answer ${misses} times in a row; ${became}`);
  }

  /** Also when it is one of a version that has no such question, or is just starting or ending. */
  async #answers(session: StandingSession): Promise<boolean> {
    const { answerMs = ANSWER_MS } = this.#parts;
    if (session.socket === null) return true;
    const reached = await reach(session, answerMs);
    if (!reached.ok) return false;
    const { client } = reached;
    try {
      if (!client.hello.capabilities.includes('pulse')) return true;
      const reply = await client.request({ do: 'pulse' }, answerMs);
      // One that says why it cannot read its journal works: another process could not read it either.
      return reply.ok || reply.error.code === 'stopping' || reply.error.code === 'not_possible';
    } finally {
      client.close();
    }
  }
}
