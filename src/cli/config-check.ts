/** `ouro config check`: everything that would keep a session from starting, each with its place. */
import type { ConfigError, LoadedConfig } from '../../config/load.js';
import { parseRule, type RuleKind } from '../permissions/rules.js';
import { findFolders } from '../session-folders.js';
import { failAsConfig, readConfig, type ConfigFlags, type ReadConfig } from './read-config.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb } from './verb-output.js';

/** 0: nothing is wrong; 52: something is. */
export const configCheck = (flags: ConfigFlags, context: VerbContext): Promise<number> =>
  runVerb(context, flags, async (output) => {
    const read = await readConfig(flags, context);
    if (!read.ok) return output.fail(read.failure);
    const { loaded, trust, workspace } = read;
    if (!loaded.ok) return failAsConfig(output, loaded);
    const errors = [...wrongRules(loaded), ...wrongFolders(loaded, read, context.home)];
    for (const warning of loaded.warnings) output.note(warning);
    if (errors.length > 0) return failAsConfig(output, { ok: false, errors });
    output.line('the configuration is fine');
    output.data({ ok: true, workspace, trust: trust.state, errors: [], warnings: loaded.warnings });
    return EXIT_DONE;
  });

type Loaded = Extract<LoadedConfig, { ok: true }>;

const KINDS: readonly RuleKind[] = ['allow', 'ask', 'deny'];
const RULE_FORM =
  "a tool, or a tool and a pattern: shell, 'shell(npm test*)', 'write_file(.git/**)'";

function wrongRules({ config }: Loaded): readonly ConfigError[] {
  return KINDS.flatMap((kind) =>
    config.permissions[kind].flatMap((rule) => {
      const origin = config.permissions.origins[`${kind} ${rule}`] ?? { from: '', line: null };
      if (parseRule(kind, rule, origin) !== null) return [];
      const message = `permissions.${kind} holds ${JSON.stringify(rule)}; expected ${RULE_FORM}`;
      const { from: file, line } = origin;
      return [{ file, line, key: `permissions.${kind}`, expected: RULE_FORM, got: rule, message }];
    }),
  );
}

function wrongFolders(
  { config, origins, lines }: Loaded,
  { workspace, env }: ReadConfig,
  home: string,
): readonly ConfigError[] {
  const given = {
    'tools.add_dirs': config.tools.addDirs,
    'tools.read_dirs': config.tools.readDirs,
  };
  return Object.entries(given).flatMap(([key, folders]) => {
    const found = findFolders(folders, { workspace, home, env });
    if (found.ok) return [];
    const place = { file: origins[key] ?? '', line: lines[key] ?? null };
    const expected = 'folders that exist and that tools may use';
    return [{ ...place, key, expected, message: `${key}: ${found.reason}` }];
  });
}
