/** `ouro config explain CALL`: what would become of a call, and which rule, in which file and line, decides. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadedConfig } from '../../config/load.js';
import {
  explainCall,
  explainedLines,
  readCall,
  type ExplainedCall,
  type NamedCall,
} from '../permissions/explain-rule.js';
import type { JudgeOptions } from '../permissions/judge.js';
import { nameFrom, realPathOf, resolveTarget } from '../tools/paths.js';
import { foldersOf } from './further-folders.js';
import {
  failAsConfig,
  readConfig,
  safeText,
  type ConfigFlags,
  type ReadConfig,
} from './read-config.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, EXIT_NOT_POSSIBLE, runVerb, usage } from './verb-output.js';

/** 0: it would be allowed; 1: it would be refused, or a person asked. */
export const configExplain = (
  { call: text, ...flags }: ConfigFlags & { readonly call: string },
  context: VerbContext,
): Promise<number> =>
  runVerb(context, flags, async (output) => {
    const call = readCall(text);
    if (call === null) return output.fail(usage(notACall(text)));
    const read = await readConfig(flags, context);
    if (!read.ok) return output.fail(read.failure);
    const { loaded } = read;
    if (!loaded.ok) return failAsConfig(output, loaded);
    for (const warning of loaded.warnings) output.note(warning);
    const judged = await optionsOf(read, loaded, context.home);
    if (typeof judged === 'string') return output.fail({ code: 'not_possible', message: judged });
    const { named, explained } = explainAsDispatched(call, judged);
    if (!explained.ok) return output.fail({ code: 'not_possible', message: explained.message });
    const safe = safeText(read);
    for (const line of explainedLines(named, judged, explained)) output.line(safe(line));
    output.data({ ok: true, ...inJson(named, judged, explained) });
    return explained.answer === 'allowed' ? EXIT_DONE : EXIT_NOT_POSSIBLE;
  });

const notACall = (text: string): string =>
  `${JSON.stringify(text)} is not a call; give a tool and what it is for: 'shell(npm test)', 'write_file(src/a.ts)'`;

type Judged = JudgeOptions &
  Pick<Required<JudgeOptions>, 'addDirs'> & { readonly readDirs: readonly string[] };

/** As a session would be judged that was started now. Text: why none could be. */
async function optionsOf(
  { workspace, env }: ReadConfig,
  loaded: Extract<LoadedConfig, { ok: true }>,
  home: string,
): Promise<Judged | string> {
  const further = foldersOf(loaded, { workspace, home, env });
  if (!further.ok) return further.reason;
  const { addDirs = [], readDirs = [] } = further.folders;
  const { permissions, sandbox } = loaded.config;
  const options = { ...permissions, workspace, ouroHome: home, addDirs, readDirs };
  if (sandbox.mode === 'off') return { ...options, sandboxed: false };
  const { openSandbox } = await import('../sandbox/open-sandbox.js');
  const tempDir = mkdtempSync(join(tmpdir(), 'ouro-explain-'));
  try {
    const opened = await openSandbox({
      ...sandbox,
      workspace,
      addDirs,
      ouroHome: home,
      tempDir,
      env,
    });
    return opened.ok ? { ...options, sandboxed: opened.sandbox !== null } : opened.reason;
  } finally {
    rmSync(tempDir, { recursive: true, force: true });
  }
}

/** Tools that take a path of a file or a folder. */
const PATH_TOOLS = ['read_file', 'write_file', 'edit_file', 'list_dir', 'find_files', 'grep'];

interface Dispatched {
  /** As rules see it. */
  readonly named: NamedCall;
  readonly explained: ExplainedCall;
}

/** A tool looks where a path leads before any rule is asked. */
function explainAsDispatched(call: NamedCall, options: Judged): Dispatched {
  if (!PATH_TOOLS.includes(call.tool))
    return { named: call, explained: explainCall(call, options) };
  const home = realPathOf(options.ouroHome);
  const boundary = { ...options, ouroHome: home.ok ? home.real : options.ouroHome };
  const access = call.effect === 'write' ? 'write' : 'read';
  const resolved = resolveTarget(boundary, call.subject, access);
  const subject = resolved.ok ? nameFrom(options.workspace, resolved.target.real) : call.subject;
  const named = { ...call, subject };
  const explained = explainCall(named, options);
  if (resolved.ok || !explained.ok || explained.answer === 'refused') return { named, explained };
  const text = resolved.outcome.text.replace(/^Error: /, '');
  const decidedBy = [{ kind: 'built-in', name: 'path', text }] as const;
  return { named, explained: { ...explained, answer: 'refused', decidedBy } };
}

function inJson(
  { tool, subject }: NamedCall,
  { mode, sandboxed }: Judged,
  { answer, level, decidedBy, considered }: Extract<ExplainedCall, { ok: true }>,
): object {
  const rules = considered.map(({ rule, matches }) => ({
    rule: `${rule.kind} ${rule.source}`,
    ...rule.origin,
    matches,
  }));
  return {
    tool,
    subject,
    answer,
    level,
    mode,
    sandboxed,
    decided_by: decidedBy,
    considered: rules,
  };
}
