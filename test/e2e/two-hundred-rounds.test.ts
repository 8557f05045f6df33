/** A server that fails in every way that can be got over, in one round of five, changes nothing of the work. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ouro } from '../support/e2e/command-line.js';
import { call, modelServer, type TurnFile } from '../support/e2e/model-server.js';
import { newPlace, type Place } from '../support/e2e/place.js';
import { resultOf } from '../support/e2e/stream.js';

type Fault = NonNullable<TurnFile['fault']>;

const ROUNDS = 200;
const FILES = 20;
const LAST_WORDS = 'All rounds are done.';

/** Nothing of the answer is kept: the round is asked for again. */
const LOST: readonly Fault[] = [
  { kind: 'status', status: 429, retry_after: 0 },
  { kind: 'status', status: 429, retry_after_date: 0 },
  { kind: 'status', status: 429, retry_after: 'soon' },
  { kind: 'status', status: 404 },
  ...[408, 409, 425, 500, 502, 503, 504, 529].map((status): Fault => ({
    kind: 'status',
    status,
    retry_after: 0,
  })),
  { kind: 'hang' },
  { kind: 'hang_before_headers' },
  { kind: 'silence' },
  { kind: 'cut' },
  { kind: 'cut', after: 0 },
  { kind: 'error_in_200' },
  { kind: 'empty' },
];

/** The call cannot be run: the model is told so and makes it again. */
const BROKEN: readonly Fault[] = [
  { kind: 'bad_json' },
  { kind: 'bad_json', arguments: '{"path": "a" "b"}' },
  { kind: 'cut_arguments' },
];

/** Odd, and still the answer. */
const ODD: readonly Fault[] = [
  ...(['late', 'repeated', 'changing', 'absent'] as const).map((ids): Fault => ({
    kind: 'late_ids',
    ids,
  })),
  ...(['tags', 'fence', 'bare'] as const).map((form): Fault => ({ kind: 'text_calls', form })),
  ...(['missing', 'null', 'negative', 'nan'] as const).map((usage): Fault => ({
    kind: 'odd_usage',
    usage,
  })),
  { kind: 'no_index' },
  { kind: 'same_index' },
  { kind: 'whole_arguments' },
  { kind: 'split_arguments' },
  { kind: 'no_done' },
];

const KINDS = [...LOST, ...BROKEN, ...ODD];
const EVERY = Math.floor(ROUNDS / KINDS.length);

const fileOf = (round: number): string => `${round % FILES}.txt`;

/** One round, as it is played when its number has a fault. */
function turnsOf(round: number, fault: Fault | undefined): readonly TurnFile[] {
  const work: TurnFile = {
    text: `Round ${round}.`,
    calls: [call('write_file', { path: fileOf(round), content: `${round}\n` })],
  };
  if (fault === undefined)
    return [{ text: `Round ${round}.`, calls: [call('think', { thought: `${round}` })] }];
  return ODD.includes(fault) ? [{ ...work, fault }] : [{ ...work, fault }, work];
}

function script(): readonly TurnFile[] {
  const rounds = Array.from({ length: ROUNDS }, (_, index) => {
    const fault = index % EVERY === 0 ? KINDS[index / EVERY] : undefined;
    return turnsOf(index + 1, fault);
  });
  return [...rounds.flat(), { text: LAST_WORDS }];
}

async function outcome(place: Place) {
  const { workspace } = place;
  const server = await modelServer(script());
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  const config = [
    '[model]',
    'endpoint = "odd"',
    `name = "${server.model}"`,
    'first_token_timeout = 1',
    'silence_timeout = 1',
    '[endpoints.odd]',
    `base_url = "${server.baseUrl}"`,
    'text_calls = true',
  ];
  writeFileSync(join(place.home, 'config.toml'), config.join('\n'));
  const flags = ['--max-rounds', '300', '--fallback-model', 'another'];
  const run = ['run', '-p', '--output-format', 'json', '--permission-mode', 'accept-edits'];
  const ended = await ouro(place, [...run, ...flags, 'Write them all.']);
  expect(ended.code, ended.stderr.slice(-2_000)).toBe(0);
  const files = readdirSync(workspace).filter((file) => file.endsWith('.txt'));
  const turns = new Set(server.requests.map(({ turn }) => turn));
  return {
    text: resultOf(ended.stdout).text,
    files: files.map((file) => [file, readFileSync(join(workspace, file), 'utf8')] as const),
    /** How many turns of the script were really played. */
    played: turns.size,
  };
}

/** Every round that had a fault has written its number, and the last one to write a file has won. */
const EXPECTED = Object.fromEntries(
  KINDS.map((_, index) => index * EVERY + 1).map((round) => [fileOf(round), `${round}\n`]),
);

test('200 rounds end as they would have without a single fault', async () => {
  expect(KINDS.length).toBeGreaterThanOrEqual(ROUNDS / 10);
  const { text, files, played } = await outcome(newPlace());
  expect(played).toBe(script().length);
  expect(text).toBe(LAST_WORDS);
  expect(Object.fromEntries(files)).toEqual(EXPECTED);
}, 120_000);
