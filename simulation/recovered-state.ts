/** What a session goes on with, as text: two that read the same go on the same. */
import type { Recovered } from '../actors/recovery.js';

export const stateText = (recovered: Recovered): string =>
  JSON.stringify({
    goal: recovered.goal,
    ended: recovered.ended,
    holds: recovered.holds,
    todos: recovered.todos,
    discoveries: recovered.discoveries,
    totals: recovered.totals,
    spawned: recovered.spawned,
    asked: recovered.asked,
    closed: recovered.closed,
    agents: [...recovered.agents.values()].map(({ conversation, ...agent }) => ({
      ...agent,
      messages: conversation.messages,
      open: conversation.openCalls,
      said: conversation.said,
    })),
  });
