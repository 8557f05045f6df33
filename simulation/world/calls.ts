/** The calls that a simulated model asks for: sensible ones of every kind, and odd ones. */
import { callIdOf } from '../../messages/ids.js';
import type { ModelRequest, RawToolCall } from '../../messages/model.js';
import type { Chance, Weighted } from '../chance.js';
import type { ModelTemper } from '../scenario.js';
import type { World } from './world.js';

type Args = Readonly<Record<string, unknown>>;
type Draw = (chance: Chance, key: string) => Args;

const thing: Draw = (_, key) => ({ key });
export const FILES = ['a.txt', 'b.txt', 'c.txt'] as const;

const CALLS: Readonly<Record<string, { readonly weight: number; readonly args: Draw }>> = {
  read_file: { weight: 4, args: thing },
  list_dir: { weight: 2, args: thing },
  write_file: { weight: 5, args: (chance, key) => ({ key, path: chance.pick(FILES) }) },
  edit_file: { weight: 2, args: (chance, key) => ({ key, path: chance.pick(FILES) }) },
  shell: { weight: 4, args: thing },
  process_kill: { weight: 1, args: thing },
  think: { weight: 1, args: () => ({ thought: 'hm' }) },
  todo: { weight: 1, args: (_, key) => ({ action: 'add', task: key }) },
  record_discovery: { weight: 1, args: (_, key) => ({ title: key, description: 'found' }) },
  submit: {
    weight: 0.6,
    args: (chance, key) => ({
      summary: `through with ${key}`,
      outcome: chance.pick(['done', 'partial', 'blocked']),
    }),
  },
  sleep: {
    weight: 1.5,
    args: (chance) =>
      chance.weighted<Args>([
        [{ mode: 'timer', seconds: chance.between(1, 600) }, 3],
        [{ mode: 'event', agent_id: `sub-${chance.between(1, 3)}`, seconds: 300 }, 2],
        [{ mode: 'manual' }, 1],
      ]),
  },
  ask_user: {
    weight: 2,
    args: (chance, key) => ({
      prompt: `what about ${key}?`,
      ...(chance.happens(0.5) ? { choices: ['this', 'that'] } : {}),
      ...(chance.happens(0.5) ? { timeout: chance.between(1, 600) } : {}),
    }),
  },
  delegate: {
    weight: 3,
    args: (chance, key) => ({
      task: `look after ${key}`,
      type: chance.pick(['explore', 'worker', 'worker', 'planner']),
      background: chance.happens(0.4),
    }),
  },
  check_agent: {
    weight: 1,
    args: (chance) => ({
      agent_id: chance.pick(['*', 'sub-1', 'sub-2', 'sub-9']),
      block: chance.happens(0.4),
    }),
  },
};

/** Arguments that no server should send, and that some do. */
const BROKEN = ['{"key": ', '[1, 2]', '"text"', '{"key": 7}', '{}', '', 'null'] as const;

/** How the text begins that says that nobody knows what became of a call. */
export const UNKNOWN = '[outcome unknown]';

/** `round`: the calls of an answer are named by it. */
export function callsOf(
  request: ModelRequest,
  chance: Chance,
  world: World,
  { odd }: ModelTemper,
): RawToolCall[] {
  const names = request.tools.map(({ name }) => name);
  const weighted = names.map((name): Weighted<string> => [name, CALLS[name]?.weight ?? 0]);
  const count = chance.happens(0.03) ? chance.between(9, 14) : chance.skewed(1, 5);
  return Array.from({ length: count }, (_, i) => {
    if (chance.happens(odd / 2)) return oddCall(names, chance, i);
    const name = chance.weighted(weighted);
    const key = keyFor(request, chance, world);
    world.keyOf.set(callIdOf(request.agent, request.round ?? 0, i + 1), key);
    return raw(i, name, JSON.stringify(CALLS[name]?.args(chance, key) ?? {}));
  });
}

const raw = (i: number, name: string, argumentsText: string): RawToolCall => ({
  id: `call_${i}`,
  name,
  argumentsText,
});

const oddCall = (names: readonly string[], chance: Chance, i: number): RawToolCall =>
  chance.happens(0.2)
    ? raw(i, 'no_such_tool', '{}')
    : {
        ...raw(i, chance.pick(names), chance.pick(BROKEN)),
        ...(chance.happens(0.3) ? { cut: true } : {}),
      };

/** What became unknown may be asked for anew: that is the model's to decide. */
function keyFor({ messages }: ModelRequest, chance: Chance, world: World): string {
  const unknown = messages.flatMap((message) =>
    message.role === 'tool' && message.text.startsWith(UNKNOWN)
      ? (world.keyOf.get(message.callId) ?? [])
      : [],
  );
  return unknown.length > 0 && chance.happens(0.3) ? chance.pick(unknown) : world.newKey();
}
