/** Whether the configuration can be read, and whether the workspace's own part of it counts. */
import { ok, problem, warn, type Finding } from './finding.js';

export interface ConfigurationFacts {
  readonly workspace: string;
  /** Of the files that are there. */
  readonly files: readonly string[];
  /** Each with its place. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly trust: string;
}

export function checkConfiguration(facts: ConfigurationFacts): readonly Finding[] {
  const { files, errors, warnings, trust, workspace } = facts;
  const read = files.length === 0 ? 'no file: the defaults hold' : files.join(', ');
  const own =
    errors.length === 0
      ? [ok('config', read)]
      : errors.map((error) => problem('config', error, 'correct it; see: ouro config check'));
  const advice = 'see: ouro config show --origin';
  return [
    ...own,
    ...warnings.map((warning) => warn('config', warning, advice)),
    ...trustFindings(trust, workspace),
  ];
}

function trustFindings(trust: string, workspace: string): readonly Finding[] {
  if (trust === 'nothing-to-trust') return [];
  if (trust === 'trusted') return [ok('trust', `the files of ${workspace} are trusted`)];
  const what = `the files of ${workspace} do not count (${trust})`;
  return [warn('trust', what, 'look at them and decide: ouro config trust')];
}
