/** Models call tools by names they know from elsewhere; what those calls did counts like any other's. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunResult } from '../../messages/result.js';
import { ouro } from '../support/e2e/command-line.js';
import { newPlace } from '../support/e2e/place.js';

const HEAD = 'name = "names"\ndescription = "Other names."\ngoal = "Go on."\n';

async function play(...turns: readonly string[]): Promise<RunResult> {
  const place = newPlace();
  const file = join(place.root, 'names.toml');
  writeFileSync(file, [HEAD, ...turns, 'text = "Finished."\n'].join('[[turn]]\n'));
  const { stdout } = await ouro(place, ['rehearse', file, '-p', '--output-format', 'json']);
  return JSON.parse(stdout) as RunResult;
}

test('a file written under the tool’s other name is a file that was changed', async () => {
  const result = await play(
    'calls = [{ name = "write", args = { file_path = "a.txt", content = "x" } }]\n',
  );
  expect(result).toMatchObject({ status: 'done', files_changed: ['a.txt'] });
});

test('a denial is made good by a later call of the same tool, whatever name it used', async () => {
  const result = await play(
    'calls = [{ name = "bash", args = { command = "touch b.txt" } }]\n',
    // The text tells the two answers apart, whose calls have one name in the end.
    'text = "Again."\ncalls = [{ name = "shell", args = { command = "ls" } }]\n',
  );
  expect(result).toMatchObject({ status: 'done', exit_code: 0 });
});
