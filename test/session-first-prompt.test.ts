import { expect, test } from 'vitest';
import type { SessionSpec } from '../messages/session.js';
import { firstPrompt } from '../src/session-start.js';
import { specOf } from './support/session-samples.js';
import { tempFolder } from './store/temp-folder.js';

const promptIn =
  (folder: string) =>
  (part: Partial<SessionSpec> = {}): string =>
    firstPrompt(specOf(part), { ouroHome: folder, workspace: folder, trusted: false });

test('planning and the kind of the task are only spoken of where they were asked for', () => {
  const promptOf = promptIn(tempFolder());
  const plain = promptOf();
  expect(plain).not.toContain('submit_plan');
  const planning = promptOf({ plan: true });
  expect(planning.startsWith(plain)).toBe(true);
  expect(planning).toContain('submit_plan');
  const fixing = promptOf({ task: { type: 'bug_fix', confidence: 1 } });
  expect(fixing.startsWith(plain)).toBe(true);
  expect(fixing).toContain('Fixing a defect');
  expect(fixing).not.toContain('submit_plan');
});
