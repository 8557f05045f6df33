/** What waits while a session is put together, and while it runs: its calls, and whoever needs what is made last. */
import { ReplyRegistry } from '../messages/channels/oneshot.js';
import type { CallId } from '../messages/ids.js';
import type { Answer } from '../messages/questions.js';
import type { WakeReason } from '../messages/sleeps.js';
import type { SessionLife } from './session/life.js';
import type { Mesh, WaitingCalls } from './session/mesh.js';

export interface Waiting {
  readonly calls: WaitingCalls;
  readonly answers: ReplyRegistry<CallId, Answer>;
  readonly wakes: ReplyRegistry<CallId, WakeReason>;
}

export const nobodyWaits = (): Waiting => ({
  calls: new ReplyRegistry(),
  answers: new ReplyRegistry(),
  wakes: new ReplyRegistry(),
});

/** What is made last and needed by what is made first; nobody asks before all is made. */
export interface Late {
  mesh: Mesh;
  life: SessionLife;
}
