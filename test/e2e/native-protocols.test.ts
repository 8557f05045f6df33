/** Servers that speak protocols of their own do the same work, chosen by configuration. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anthropicServer } from '../support/anthropic-server.js';
import { ouro } from '../support/e2e/command-line.js';
import { journalRows, onlySession } from '../support/e2e/journal.js';
import { newPlace, type Place } from '../support/e2e/place.js';
import { ollamaServer } from '../support/ollama-server.js';

const write = ['write_file', { path: 'one.txt', content: '1\n' }] as const;
const TURNS = [
  { thinking: 'First the file.', calls: [write] },
  { text: 'The file is written.', promptTokens: 4_000 },
];

function configure(place: Place, text: string): void {
  mkdirSync(place.home, { mode: 0o700 });
  writeFileSync(join(place.home, 'config.toml'), text);
}

test('Ollama in its own protocol, with the window that was configured', async () => {
  const place = newPlace();
  const server = await ollamaServer(TURNS);
  configure(
    place,
    `[model]\nname = "small"\nendpoint = "local"\n[endpoints.local]\nbase_url = "${server.root}"\nprotocol = "ollama"\nnum_ctx = 65536\n`,
  );
  const { code, stdout, stderr } = await ouro(place, ['run', '-p', 'Write a file.']);
  expect([code, stdout], stderr).toEqual([0, 'The file is written.\n']);
  // It says that it read 40 tokens of the first request, which cannot be all.
  expect(stderr.split('Raise num_ctx')).toHaveLength(2);
  expect(readFileSync(join(place.workspace, 'one.txt'), 'utf8')).toBe('1\n');
  const chats = server.asked.filter(({ path }) => path === '/api/chat');
  expect(chats.map(({ body }) => body['options'])).toEqual([
    { num_ctx: 65_536 },
    { num_ctx: 65_536 },
  ]);
});

test('Anthropic in its own protocol, with the key of a variable of one’s own', async () => {
  const place = newPlace();
  const server = await anthropicServer(TURNS);
  configure(
    place,
    `[model]\nname = "claude-test"\nendpoint = "work"\n[endpoints.work]\nbase_url = "${server.root}"\nprotocol = "anthropic"\napi_key_variable = "WORK_KEY"\n`,
  );
  const env = { WORK_KEY: 'test-key-123' };
  const { code, stdout, stderr } = await ouro(place, ['run', '-p', 'Write a file.'], { env });
  expect([code, stdout], stderr).toEqual([0, 'The file is written.\n']);
  expect(existsSync(join(place.workspace, 'one.txt'))).toBe(true);
  // The reasoning went back with its signature.
  expect(JSON.stringify(server.asked.at(-1)?.body['messages'])).toContain('sig(First the file.)');
  const rows = journalRows(place, onlySession(place));
  expect(JSON.stringify(rows)).not.toContain('test-key-123');
});
