/**
 * A session that dies at given rows of its journal and is resumed each time: the loop, the journal and the
 * recovery are real, the model and the tools are simulated. The world outlives it, and counts.
 */
import type { ModelClient } from '../../actors/ports.js';
import type { Conversation } from '../../actors/conversation.js';
import type { AgentFact } from '../../messages/agents.js';
import type { CallId } from '../../messages/ids.js';
import { sessionFact, type JournalRow } from '../../messages/journal.js';
import { AgentRun, startOf } from './agent-run.js';
import { MemoryJournal } from './memory-journal.js';
import { recover } from './recovery-rules.js';
import { ScriptedModel, type Turn } from './scripted-model.js';
import { okOutcome, specOf, START } from './session-samples.js';
import { settled } from './settled.js';
import type { SimulatedTool } from './simulated-tools.js';

export interface Words {
  /** Said when the agent tells its n-th fact, of all its lives together. */
  readonly atFact: number;
  readonly text: string;
  readonly mode: 'steer' | 'queue';
}

export interface Fate {
  readonly turns: readonly Turn[];
  readonly words: readonly Words[];
  /** How many rows the process lives for, life by life; the last life is as long as it needs. */
  readonly deaths: readonly number[];
}

export interface Story {
  readonly rows: readonly JournalRow[];
  readonly conversation: Conversation;
  readonly lives: number;
  /** How often each call that changes something really began. */
  readonly effects: ReadonlyMap<CallId, number>;
  readonly errors: readonly unknown[];
}

/** A tool for each way to matter to recovery. */
const toolsOf = (effects: Map<CallId, number>): Readonly<Record<string, SimulatedTool>> => {
  const run: SimulatedTool['run'] = async ({ id, name }) => {
    effects.set(id, (effects.get(id) ?? 0) + 1);
    await settled(id.length % 3);
    return okOutcome(`${name} ${id}`);
  };
  return {
    read_file: { effect: 'read' },
    write_file: { effect: 'write', run },
    shell: { effect: 'execute', run },
  };
};

export async function liveThrough({ turns, words, deaths }: Fate): Promise<Story> {
  const effects = new Map<CallId, number>();
  const world = { model: new ScriptedModel(turns), tools: toolsOf(effects), told: 0, words };
  let rows = firstRows();
  const errors: unknown[] = [];
  for (const [life, lasts] of [...deaths, Infinity].entries()) {
    const { run, died } = await live(rows, rows.length + lasts, world);
    rows = run.journal.rows;
    errors.push(...run.errors);
    if (!died || errors.length > 0)
      return { rows, conversation: run.conversation, lives: life + 1, effects, errors };
    run.actor.stop();
  }
  throw new Error('the last life has no end');
}

interface World {
  readonly model: ModelClient;
  readonly tools: Readonly<Record<string, SimulatedTool>>;
  readonly words: readonly Words[];
  told: number;
}

/** Until the turn is over or the process dies. */
async function live(before: JournalRow[], limit: number, world: World) {
  const journal = new MemoryJournal({ now: () => START }, before, limit);
  const { recovered, all } = recover(before);
  void journal.append(all.slice(before.length));
  const { conversation, round } = recovered.main;
  const run: AgentRun = new AgentRun({
    journal,
    model: world.model,
    tools: world.tools,
    setup: { conversation, round },
    onFact: (fact) => hearWords(run, world, fact),
  });
  run.start();
  while (!journal.dead && run.actor.getSnapshot().status === 'active') {
    run.clock.increment(60_000);
    await settled(1);
  }
  await journal.committed();
  return { run, died: journal.dead };
}

/** As the gateway does it: into the journal first, then to the agent. */
function hearWords(run: AgentRun, world: World, fact: AgentFact): void {
  world.told += 1;
  if (fact.type === 'agent.ended') return;
  for (const { text, mode } of world.words.filter(({ atFact }) => atFact === world.told)) {
    const row = sessionFact('user.action', { action: { do: 'send', text, mode } });
    void run.journal.append([row]).then((source) => {
      if (run.actor.getSnapshot().status === 'active')
        run.send({ type: 'agent.say', text, mode, source });
    });
  }
}

function firstRows(): JournalRow[] {
  const { messages } = startOf('count the files');
  const facts = [
    sessionFact('session.started', { spec: specOf(), version: '0.1.0', pid: 1 }),
    ...messages.map((message) => sessionFact('message.added', { message })),
    sessionFact('goal.set', { goal: 'count the files' }),
  ];
  return facts.map((fact, i) => ({ ...fact, seq: i + 1, ts: START }));
}
