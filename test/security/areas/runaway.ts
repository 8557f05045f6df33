/** What grows without end, and numbers that would raise a limit. */
import { supervise, type Nursery } from '../../../actors/sub-agent-supervisor.js';
import type { CallId } from '../../../messages/ids.js';
import { AgentRun } from '../../support/agent-run.js';
import { calls, says } from '../../support/scripted-model.js';
import { MAIN } from '../../support/session-samples.js';
import { clientFor, event, REQUEST, sendPieces, serve, textEvent } from '../../model/server.js';
import type { Area, Row } from '../table.js';

async function usageOf(usage: string): Promise<object | null> {
  const last = event({ choices: [], usage: 0 }).replace('"usage":0', `"usage":${usage}`);
  const server = await serve((response) =>
    sendPieces(
      response,
      [textEvent('hello', 'stop'), last, 'data: [DONE]\n\n'].map((piece) => Buffer.from(piece)),
    ),
  );
  const asked = clientFor(server.url).ask(REQUEST, () => undefined, AbortSignal.timeout(20_000));
  const outcome = await asked;
  return outcome.status === 'ok' ? outcome.reply.usage : null;
}

const isCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** A number that cannot be true is not counted with. */
const usage = (tried: string, text: string): Row => ({
  tried: `usage that is ${tried}`,
  attack: async () => Object.values((await usageOf(text)) ?? {}).every(isCount),
  counterpart: 'usage that can be true',
  allowed: async () => {
    const counted = await usageOf('{"prompt_tokens":12,"completion_tokens":3,"cost":0.5}');
    const expected = { promptTokens: 12, completionTokens: 3, cachedTokens: 0, costUsd: 0.5 };
    return JSON.stringify(counted) === JSON.stringify(expected);
  },
});

/** How many of so many sub-agents are made. */
function made(wanted: number): number {
  let nursery: Nursery = { alive: [], spawned: 0 };
  let count = 0;
  for (let n = 0; n < wanted; n += 1) {
    const callId = `main_1_${n}` as CallId;
    const task = { kind: 'explore', task: 'look' } as never;
    const [next, effects] = supervise(
      nursery,
      { type: 'subagent.spawn', parent: MAIN, callId, task },
      0,
    );
    nursery = next;
    count += effects.filter((effect) => effect.do === 'create').length;
  }
  return count;
}

async function roundsOf(wanted: number, maxRounds: number): Promise<string> {
  const turns = [...Array.from({ length: wanted }, () => calls(['think'])), says('over')];
  const run = new AgentRun({ turns, setup: { maxRounds } }).start();
  return (await run.end()).status;
}

export const runaway: Area = {
  area: 'runaway',
  inBoth: false,
  rows: [
    usage('negative', '{"prompt_tokens":-5,"completion_tokens":-1,"cost":-2}'),
    usage('NaN', '{"prompt_tokens":NaN,"completion_tokens":1}'),
    usage('infinite', '{"prompt_tokens":1e999,"completion_tokens":1,"cost":1e999}'),
    usage('text', '{"prompt_tokens":"many","completion_tokens":"-1","cost":"free"}'),
    usage('missing', '{}'),
    usage('a list', '[1,2,3]'),
    {
      tried: 'sub-agents without end',
      attack: () => Promise.resolve(made(1_000) === 5),
      counterpart: 'five at once',
      allowed: () => Promise.resolve(made(5) === 5),
    },
    {
      tried: 'rounds without end',
      attack: async () => (await roundsOf(50, 7)) === 'round-limit',
      counterpart: 'as many as there may be',
      allowed: async () => (await roundsOf(5, 7)) === 'done',
    },
    {
      tried: 'background processes without end',
      attack: async ({ ground }) => {
        const on = await ground({ rules: { allow: ['shell'] } });
        let refused = 0;
        for (let n = 0; n < 13; n += 1) {
          const { status } = await on.run('shell', { command: 'sleep 600', background: true });
          refused += status === 'failed' ? 1 : 0;
        }
        return refused === 3;
      },
      counterpart: 'one of them',
      allowed: async ({ ground }) => {
        const on = await ground({ rules: { allow: ['shell'] } });
        return (await on.run('shell', { command: 'sleep 600', background: true })).status === 'ok';
      },
    },
  ],
};
