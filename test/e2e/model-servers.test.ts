/** Whatever a model server does to its answers on the way, the work that comes out of them is the same. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launch, ouro } from '../support/e2e/command-line.js';
import {
  askAt,
  call,
  modelServer,
  scenarioFile,
  type TurnFile,
} from '../support/e2e/model-server.js';
import { anotherWorkspace, newPlace, type Place } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';
import { linesOf, resultOf, streamLines } from '../support/e2e/stream.js';

type Fault = NonNullable<TurnFile['fault']>;

const WORDS = 'naïve café, 日本語, 🐍 and {"braces"}';
const LAST_WORDS = `Three files were written: ${WORDS}.`;

/** Two answers with calls, one of them with two at once, and one with words. */
const work = (oddity: Partial<TurnFile>, last: Partial<TurnFile> = {}): TurnFile[] => [
  {
    text: `First ${WORDS}.`,
    calls: [call('write_file', { path: 'one.txt', content: `${WORDS}\n` })],
    ...oddity,
  },
  {
    calls: [
      call('write_file', { path: 'two.txt', content: `2\t"${WORDS}"\n` }),
      call('write_file', { path: 'three.txt', content: '3\n' }),
    ],
    ...oddity,
  },
  { text: LAST_WORDS, ...last },
];

/** Everything that was made in the workspace, by name. */
const filesIn = (workspace: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(workspace)
      .sort()
      .map((name) => [name, readFileSync(join(workspace, name), 'utf8')]),
  );

interface Outcome {
  readonly code: number | null;
  readonly text: string;
  readonly rounds: number;
  readonly files: Record<string, string>;
  /** The kinds of the failures that were got over. */
  readonly failures: readonly string[];
}

let folders = 0;

async function outcomeOf(place: Place, turns: readonly TurnFile[]): Promise<Outcome> {
  const workspace = anotherWorkspace(place, `work-${(folders += 1)}`);
  const server = await modelServer(turns);
  const args = ['run', 'Write three files.', ...askAt(server), '--output-format', 'stream-json'];
  const { code, stdout } = await ouro(place, args, { cwd: workspace });
  const { text, rounds } = resultOf(stdout);
  const failures = linesOf(streamLines(stdout), 'error').map(({ kind }) => kind);
  return { code, text, rounds, files: filesIn(workspace), failures };
}

const EXPECTED: Outcome = {
  code: 0,
  text: LAST_WORDS,
  rounds: 3,
  files: { 'one.txt': `${WORDS}\n`, 'three.txt': '3\n', 'two.txt': `2\t"${WORDS}"\n` },
  failures: [],
};

function writeConfig(place: Place, text: string): void {
  mkdirSync(place.home, { mode: 0o700 });
  writeFileSync(join(place.home, 'config.toml'), text);
}

const odd: readonly { readonly name: string; readonly oddity: Partial<TurnFile> }[] = [
  { name: 'plain', oddity: {} },
  { name: 'one byte at a time', oddity: { chunk: 1, fault: { kind: 'split_arguments' } } },
  { name: 'in pieces that split characters', oddity: { chunk: 7, chunk_delay_ms: 1 } },
  { name: 'with ids that come late', oddity: { fault: { kind: 'late_ids' } } },
  { name: 'with ids in every piece', oddity: { fault: { kind: 'late_ids', ids: 'repeated' } } },
  { name: 'with ids that change', oddity: { fault: { kind: 'late_ids', ids: 'changing' } } },
  { name: 'without ids', oddity: { fault: { kind: 'late_ids', ids: 'absent' } } },
  { name: 'without indexes', oddity: { fault: { kind: 'no_index' } } },
  { name: 'with one index for all', oddity: { fault: { kind: 'same_index' } } },
  { name: 'with whole arguments at once', oddity: { fault: { kind: 'whole_arguments' } } },
  { name: 'without an end of the stream', oddity: { fault: { kind: 'no_done' } } },
];

test.for(odd)('answers that come $name give the same words and files', async ({ oddity }) => {
  const last = oddity.chunk === undefined ? {} : { chunk: oddity.chunk };
  expect(await outcomeOf(newPlace(), work(oddity, last))).toEqual(EXPECTED);
});

const failing: readonly { readonly kind: string; readonly fault: Fault }[] = [
  { kind: 'rate-limit', fault: { kind: 'status', status: 429, retry_after: 0 } },
  { kind: 'server', fault: { kind: 'status', status: 500 } },
  { kind: 'overloaded', fault: { kind: 'status', status: 529 } },
  { kind: 'cut', fault: { kind: 'cut' } },
  { kind: 'server', fault: { kind: 'error_in_200' } },
  { kind: 'empty', fault: { kind: 'empty' } },
  { kind: 'stalled', fault: { kind: 'hang' } },
  { kind: 'stalled', fault: { kind: 'hang_before_headers' } },
];

test.for(failing)(
  'a failure ($fault.kind $fault.status) is got over, and nothing is done twice',
  async ({ kind, fault }) => {
    const place = newPlace();
    writeConfig(place, '[model]\nfirst_token_timeout = 1\nsilence_timeout = 1\n');
    const [first, second, last] = work({});
    const again = { text: 'This is withdrawn.', fault };
    const turns = [first, again, second, again, last].filter((turn) => turn !== undefined);
    expect(await outcomeOf(place, turns)).toEqual({ ...EXPECTED, failures: [kind, kind] });
  },
);

test('the bundled scenario of faults ends well, and its failures are told', async () => {
  const place = newPlace();
  const run = await ouro(place, ['rehearse', 'faults', '--output-format', 'stream-json']);
  expect(run.code).toBe(0);
  const lines = streamLines(run.stdout);
  expect(linesOf(lines, 'error').length).toBeGreaterThan(4);
  expect(JSON.stringify(linesOf(lines, 'message'))).not.toContain('withdrawn');
});

test('a server that falls silent in the middle of every call is given up on, and none is run', async () => {
  const place = newPlace();
  writeConfig(place, '[model]\nfirst_token_timeout = 5\nsilence_timeout = 1\nmax_wait = 0\n');
  const server = await modelServer(work({ chunk: 700, chunk_delay_ms: 600_000 }));
  const args = ['run', 'Write.', ...askAt(server), '--output-format', 'json'];
  const run = await ouro(place, args, { env: { OURO_MODEL_RETRIES: '1' } });
  expect(run.code).toBe(57);
  expect(resultOf(run.stdout).reason).toContain(server.baseUrl);
  expect(server.requests).toHaveLength(2);
  expect(filesIn(place.workspace)).toEqual({});
});

test('a server that never sends a first byte is given up on', async () => {
  const place = newPlace();
  writeConfig(place, '[model]\nfirst_token_timeout = 0.5\nretries = 2\nmax_wait = 0\n');
  const server = await modelServer([{ fault: { kind: 'hang_before_headers' }, times: -1 }]);
  const args = ['run', 'Go on.', ...askAt(server), '--output-format', 'json'];
  const run = await ouro(place, args);
  expect(run.code).toBe(57);
  const result = resultOf(run.stdout);
  expect(result).toMatchObject({ status: 'provider_error', retryable: true, rounds: 0 });
  expect(result.reason).toContain(server.baseUrl);
  expect(server.requests).toHaveLength(3);
});

test('arguments that are no JSON are never run; the model is told and calls again', async () => {
  const place = newPlace();
  const broken = {
    calls: [call('write_file', { path: 'wrong.txt', content: 'wrong' })],
    fault: { kind: 'bad_json' } as const,
  };
  const { files, code } = await outcomeOf(place, [broken, ...work({})]);
  expect({ files, code }).toEqual({ files: EXPECTED.files, code: 0 });
});

test('a scenario can be served alone, and a run asks it like any other server', async () => {
  const place = newPlace();
  const scenario = scenarioFile(place, [{ text: 'Served.' }]);
  const serving = launch(place, ['rehearse', scenario, '--serve', '--port', '0']);
  const baseUrl = await eventually('its address', () => /^http\S+/.exec(serving.stdout())?.[0]);
  const run = await ouro(place, ['run', '-p', 'Go on.', ...askAt({ baseUrl })]);
  expect(run).toMatchObject({ code: 0, stdout: 'Served.\n' });
  serving.kill('SIGTERM');
  expect((await serving.ended).code).toBe(0);
});

test('a model on this machine costs nothing', async () => {
  const place = newPlace();
  const server = await modelServer([{ text: 'Done.' }]);
  const run = await ouro(place, ['run', 'Go on.', ...askAt(server), '--output-format', 'json']);
  expect(resultOf(run.stdout).cost_usd).toBe(0);
});
