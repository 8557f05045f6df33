/** Where a session keeps what it changed, and what of that a crash has cut off. Loads next to nothing. */
import { join } from 'node:path';
import type { Recovered } from '../actors/recovery.js';
import { hasSideEffects } from '../messages/tools.js';
import type { Doer } from './undo/keeper.js';

/** Where a session keeps it. */
export const undoDir = (sessionDir: string): string => join(sessionDir, 'undo');

/** Whose doing it is what changed while nobody looked; null: nothing was under way. */
export function cutOff(recovered: Recovered | null): Doer | null {
  if (recovered === null) return null;
  for (const [callId, { agent, round, effect }] of recovered.openIntents) {
    if (hasSideEffects(effect)) return { callId, agent, round };
  }
  const [process] = recovered.background.values();
  if (process === undefined) return null;
  const { id: agent, round } = recovered.main;
  return { callId: process.callId, agent, round };
}
