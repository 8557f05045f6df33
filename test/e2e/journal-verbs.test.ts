/** What a person does in the morning: look at what a session did, why, and go on from an earlier point. */
import { expect, test } from 'vitest';
import { done } from '../support/e2e/command-line.js';
import { onlySession } from '../support/e2e/journal.js';
import { newPlace } from '../support/e2e/place.js';
import { call, scenarioFile, shell } from '../support/e2e/model-server.js';

test('a session is reported on, looked into, rebuilt, and branched off to another end', async () => {
  const place = newPlace();
  const scenario = scenarioFile(place, [
    {
      when: { agent: 'main', round: 1 },
      calls: [call('write_file', { path: 'a.txt', content: 'a' })],
    },
    { when: { agent: 'main', contains: 'another way' }, text: 'Gone another way.' },
    { when: { agent: 'main', round: 2 }, calls: [shell('echo b > b.txt')] },
    { when: { agent: 'main' }, text: 'It works.' },
  ]);
  await done(place, ['rehearse', scenario, '-p']);
  const id = onlySession(place);

  const report = await done(place, ['report']);
  expect(report.stdout).toContain('a.txt  (created, +1 -0, written once, by main)');
  expect(report.stdout).toContain('b.txt  (created, +1 -0)');
  expect(report.stdout).toContain(`ouro undo ${id.slice(0, 8)}`);
  expect(report.stdout).toContain('claimed: It works.');
  const shown = await done(place, ['show', '--round', '1', '--request', '--json']);
  const { request, round } = JSON.parse(shown.stdout) as {
    request: { is_whole: boolean; messages: object[] };
    round: { tools: string[] };
  };
  expect(request).toMatchObject({
    is_whole: true,
    messages: [{ role: 'system' }, { role: 'user' }],
  });
  expect(round.tools).toContain('write_file');
  const moment = await done(place, ['replay', '--at', '1', '--json']);
  expect(JSON.parse(moment.stdout)).toMatchObject({ round: 1, snapshot: { state: 'running' } });

  const forked = await done(place, ['fork', id, 'Go another way.', '--at', '1', '--json']);
  const { session } = JSON.parse(forked.stdout) as { session: string };
  const went = await done(place, ['run', '-r', session, '-p']);
  expect(went.stdout).toContain('Gone another way.');
  const branch = await done(place, ['report', session, '--json']);
  expect(JSON.parse(branch.stdout)).toMatchObject({
    report: { files: [], forked_from: { session_id: id, round: 1 }, outcome: { status: 'done' } },
  });
  const verified = await done(place, ['sessions', 'verify', '--all']);
  expect(verified.stdout.match(/sound/g)).toHaveLength(2);
  const bare = await done(place, ['sessions', 'list', '--tag', 'none']);
  expect(bare.stdout).toBe('no session fits\n');
});
