/** What a session goes on with, as text: two that read the same go on the same. */
import { writtenState } from '../actors/checkpoint/written-state.js';
import type { Recovered } from '../actors/recovery.js';

/** Of agents that have ended, nobody asks what they said. */
export function stateText(recovered: Recovered): string {
  const { parts, lists } = writtenState(recovered);
  const going = [...recovered.agents.values()].filter(({ end }) => end === null);
  return JSON.stringify({
    parts: [...parts],
    lists: [...lists],
    conversations: going.map(({ id, conversation }) => [id, conversation.parts]),
  });
}
