/** `ouro config path`: which files are read, which of them are there, and how much they may say. */
import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { dotEnvFile } from '../../config/environment.js';
import { userConfigFile, workspaceConfigFile } from '../../config/home.js';
import { readConfig, type ConfigFlags, type ReadConfig } from './read-config.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb } from './verb-output.js';

/** How much of a file takes effect. */
type Counts = 'all' | 'within-trust' | 'ouro-variables' | 'ignored';

interface ConfigPath {
  readonly path: string;
  readonly exists: boolean;
  readonly counts: Counts;
}

const COUNTS_TEXT: Readonly<Record<Counts, string>> = {
  all: 'read',
  'within-trust': 'read, within its trust',
  'ouro-variables': 'read, variables that begin with OURO_',
  ignored: 'ignored, since the workspace is not trusted',
};

export const configPath = (flags: ConfigFlags, context: VerbContext): Promise<number> =>
  runVerb(context, flags, async (output) => {
    const read = await readConfig(flags, context);
    if (!read.ok) return output.fail(read.failure);
    const files = filesOf(read, flags, context);
    for (const { path, exists, counts } of files)
      output.line(`${path}  (${exists ? COUNTS_TEXT[counts] : 'not there'})`);
    const { workspace, trust } = read;
    output.data({ ok: true, workspace, trust: trust.state, files });
    return EXIT_DONE;
  });

/** The later ones win. */
export function filesOf(
  { workspace, trust }: ReadConfig,
  { config }: ConfigFlags,
  { home, cwd }: VerbContext,
): readonly ConfigPath[] {
  const own = config === undefined ? userConfigFile(home) : resolve(cwd, config);
  const ofWorkspace = workspaceConfigFile(workspace);
  const files: (readonly [string, Counts])[] = [
    [own, 'all'],
    [ofWorkspace, trust.trusted ? 'all' : 'within-trust'],
    [dotEnvFile(workspace), trust.trusted ? 'ouro-variables' : 'ignored'],
    [dotEnvFile(home), 'all'],
  ];
  return files
    .filter(([path], index) => index === 0 || path !== own)
    .map(([path, counts]) => ({ path, exists: isThere(path), counts }));
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
