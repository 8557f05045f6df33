/** What the calls of a session wait for, by call. */
import { ReplyRegistry } from '../messages/channels/oneshot.js';
import type { CallId } from '../messages/ids.js';
import type { Answer } from '../messages/questions.js';
import type { WakeReason } from '../messages/sleeps.js';
import type { WaitingCalls } from './session/mesh.js';

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
