/** What a session's journal says of how its tools were used, and of the small model that read for it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { done } from '../support/e2e/command-line.js';
import { journalRows, onlySession, rowsOf } from '../support/e2e/journal.js';
import { call, scenarioFile, shell } from '../support/e2e/model-server.js';
import { newPlace } from '../support/e2e/place.js';
import { resultOf } from '../support/e2e/stream.js';

async function pageServer(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1><p>the page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Measured {
  readonly name: string;
  readonly value: number | null;
  readonly verdict: string;
  readonly counts: Readonly<Record<string, number>>;
}

test('a session that reads files and a page is measured by what it did', async () => {
  const place = newPlace();
  const host = await pageServer();
  const file = join(place.workspace, 'a.txt');
  writeFileSync(file, 'words\n');
  // What has changed just now is not answered from memory.
  utimesSync(file, new Date(0), new Date(0));
  const read = call('read_file', { path: 'a.txt' });
  const scenario = scenarioFile(place, [
    {
      when: { agent: 'page-reader' },
      text: 'It says hi.',
      usage: { prompt_tokens: 5000, completion_tokens: 11 },
      times: -1,
    },
    {
      when: { agent: 'main', round: 1 },
      calls: [call('web_fetch', { url: `http://${host}/`, prompt: 'what?' }), read],
    },
    { when: { agent: 'main', round: 2 }, calls: [read, call('grep', { pattern: 'words' })] },
    {
      when: { agent: 'main', round: 3 },
      calls: [call('write_file', { path: 'a.txt', content: 'other\n' })],
    },
    { when: { agent: 'main', round: 4 }, calls: [shell('cat a.txt')] },
    { when: { agent: 'main' }, text: 'Done.' },
  ]);
  const env = { OURO_WEB_PRIVATE_HOSTS: host, OURO_MODEL_SMALL: 'tiny' };
  const run = await done(place, ['rehearse', scenario, '--output-format', 'json'], { env });
  const { usage, rounds } = resultOf(run.stdout);
  expect(rounds).toBe(5);
  expect(usage.prompt_tokens).toBeGreaterThan(5000);
  expect(usage.completion_tokens).toBeGreaterThan(11);
  const outcomes = rowsOf(journalRows(place, onlySession(place)), 'tool.outcome');
  const page = outcomes.find(({ body }) => body.name === 'web_fetch');
  expect(page?.body.outcome).toMatchObject({
    text: expect.stringContaining('It says hi.') as string,
    modelUse: [{ usage: { promptTokens: 5000, completionTokens: 11 } }],
  });

  const { stdout } = await done(place, ['metrics', '--json']);
  const { metrics } = JSON.parse(stdout) as { metrics: readonly Measured[] };
  const counts = Object.fromEntries(metrics.map((each) => [each.name, each.counts]));
  expect(counts).toMatchObject({
    shell_reads: { through_shell: 1, all: 4 },
    greps_for_files: { for_files: 1, all: 1 },
    blind_writes: { blind: 0, all: 1 },
    cache_hits: { hits: 1, all: 4 },
    parallel_rounds: { parallel: 1, all: 1 },
    explore_saving: { explore_agents: 0 },
  });
});
