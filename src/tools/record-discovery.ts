/** `record_discovery`: a finding that outlives the conversation. It is on disk before the model hears so. */
import { z } from 'zod';
import type { Journal } from '../../actors/ports.js';
import type { AgentId } from '../../messages/ids.js';
import { factOf, type Discovery } from '../../messages/journal.js';
import { done } from './outcomes.js';
import { defineTool, type Tool } from './tool.js';

export interface DiscoveryParts {
  readonly journal: Journal;
  readonly onDiscovery: (agent: AgentId, round: number, discovery: Discovery) => void;
}

export const recordDiscoveryTool = ({ journal, onDiscovery }: DiscoveryParts): Tool =>
  defineTool({
    name: 'record_discovery',
    description: 'Record a finding.',
    effect: 'none',
    schema: z.strictObject({
      title: z.string().min(1).max(200),
      description: z.string().max(4000),
    }),
    about: ({ title }) => title,
    async execute(discovery, { agent, round }) {
      await journal.append([factOf('discovery.added', agent, round, discovery)]);
      onDiscovery(agent, round, discovery);
      return done('Recorded.');
    },
  });
