/** What is sent: how long the fixed part of a request is, and how much of a request the next one repeats. */
import { metIf, single, summarise, type Row } from '../figures.js';
import { newPlace, noteOf, removePlace, runFlags, startOuro, writeNotes } from '../ouro.js';
import type { Bench, Part } from '../part.js';

const TOKEN_LIMIT = 2_500;
const CHARACTERS_A_TOKEN = 3.5;
const KEPT_LIMIT_PERCENT = 95;
const ROUNDS = 20;

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools: unknown;
}

export const prompt: Part = {
  name: 'prompt',
  about: 'length of the system prompt and tools; share of a request that the next one repeats',
  async run(bench): Promise<Row[]> {
    const bodies = await sentBodies(bench);
    return [lengthRow(bodies), keptRow(bodies)];
  },
};

async function sentBodies({ server }: Bench): Promise<Sent[]> {
  const place = newPlace();
  try {
    writeNotes(place, ROUNDS, 8);
    const bodies: Sent[] = [];
    const url = server.open('prompt', ({ round, body }) => {
      bodies.push(JSON.parse(body.toString()) as Sent);
      return round >= ROUNDS
        ? { text: 'Done.' }
        : { call: 'read_file', args: { path: noteOf(round) } };
    });
    await startOuro(place, ['run', '-p', 'Read the notes.', ...runFlags(place, url)]).ended;
    return bodies;
  } finally {
    removePlace(place);
  }
}

function lengthRow([first]: readonly Sent[]): Row {
  if (first === undefined) throw new Error('no request came');
  const system = first.messages.find(({ role }) => role === 'system')?.content ?? '';
  const tokens = (system.length + JSON.stringify(first.tools).length) / CHARACTERS_A_TOKEN;
  return {
    name: 'system prompt and tools',
    unit: 'tokens',
    floor: null,
    measured: single(tokens),
    compared: '',
    target: `≤ ${TOKEN_LIMIT} tokens`,
    verdict: metIf(tokens <= TOKEN_LIMIT),
  };
}

function keptRow(bodies: readonly Sent[]): Row {
  const kept = bodies.slice(1).map((body, i) => keptShare(bodies[i], body));
  const measured = { ...summarise(kept), p99: null };
  const worst = Math.min(...kept);
  return {
    name: 'prefix kept between rounds',
    unit: '%',
    floor: { what: 'worst round', p50: worst },
    measured,
    compared: '',
    target: `≥ ${KEPT_LIMIT_PERCENT} %`,
    verdict: metIf(worst >= KEPT_LIMIT_PERCENT),
  };
}

/** Per cent of what came before the model's turn, tools first as servers lay them out, that comes again. */
function keptShare(before: Sent | undefined, after: Sent): number {
  const [old, next] = [before, after].map((sent) =>
    sent === undefined ? '' : JSON.stringify([sent.tools, ...sent.messages]).slice(0, -1),
  );
  const text = old ?? '';
  let same = 0;
  while (same < text.length && text[same] === next?.[same]) same += 1;
  return text.length === 0 ? 0 : (100 * same) / text.length;
}
