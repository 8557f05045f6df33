/**
 * `ouro config trust`: shows what a workspace's own files would do, asks, and keeps the answer. What is kept is
 * the hash of what was shown: a file that changes meanwhile ends the trust like any later change.
 */
import { createInterface } from 'node:readline/promises';
import {
  findTrust,
  isStill,
  type Accepted,
  type FoundTrust,
  type TrustHash,
} from '../../config/trust.js';
import { summariseTrust, type TrustedFile } from '../../config/trust-summary.js';
import { stripControls } from '../../tui/text/sanitise.js';
import { openIndex } from '../store/index-store.js';
import { ensureHome } from '../store/layout.js';
import { isSecretName } from '../tools/secret-names.js';
import { withIndex } from './open-home.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb, usage, type VerbFailure, type VerbOutput } from './verb-output.js';
import { findWorkspace } from './workspace.js';

export interface TrustOptions {
  readonly dir?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly revoke?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Puts a question to the person; null: there was no answer. */
export type AskPerson = (question: string) => Promise<string | null>;

export const configTrust = (
  options: TrustOptions,
  context: VerbContext,
  askPerson: AskPerson = onTerminal,
): Promise<number> =>
  runVerb(context, options, async (output) => {
    const found = findWorkspace(options.dir ?? '.', context.cwd, context.home);
    if (!found.ok) return output.fail({ code: 'not_possible', message: found.reason });
    const { workspace } = found;
    if (options.revoke === true) return revoke(workspace, context, output);
    const trust = await findTrust(workspace, () =>
      Promise.resolve(acceptedBefore(workspace, context)),
    );
    if (!trust.now.ok) return output.fail({ code: 'not_possible', message: trust.now.why });
    const { state, now } = trust;
    const files = summariseTrust(workspace, now.files, isSecretName);
    if (!isStill(workspace, now)) return output.fail({ code: 'not_possible', message: MOVING });
    for (const line of linesOf(workspace, trust, files)) output.line(stripControls(line));
    const isSettled = state === 'nothing-to-trust' || state === 'trusted';
    if (!isSettled) {
      const refusal = await consent(options, context, askPerson);
      if (refusal !== null)
        return output.fail({ ...refusal, details: { workspace, state, files } });
      keep(workspace, now, context);
      output.line('trusted, until one of these files changes');
    }
    const became = isSettled ? state : 'trusted';
    output.data({ ok: true, workspace, state: became, changed: !isSettled, files });
    return EXIT_DONE;
  });

const MOVING = 'the files changed while they were read; look again';

const acceptedBefore = (workspace: string, context: VerbContext): readonly Accepted[] =>
  withIndex(context, [], ({ trust }) => [trust.get(workspace)].filter((one) => one !== null));

/** Null: the person wants it. */
async function consent(
  { yes = false, json = false }: TrustOptions,
  { isTerminal }: VerbContext,
  askPerson: AskPerson,
): Promise<VerbFailure | null> {
  if (yes) return null;
  if (!isTerminal || json) return usage(NO_ONE);
  const said = await askPerson('Trust these files, as they are now? [y/N] ');
  if (/^y(es)?$/i.test(said?.trim() ?? '')) return null;
  return { code: 'not_possible', message: 'nothing was changed' };
}

const NO_ONE = 'nobody can be asked here: look at the files, and say --yes to trust them';

function keep(
  workspace: string,
  { hash, digests }: Extract<TrustHash, { ok: true }>,
  context: VerbContext,
): void {
  ensureHome(context.home);
  const index = openIndex({ home: context.home, time: context });
  try {
    index.trust.set(workspace, { hash, digests });
  } finally {
    index.close();
  }
}

function revoke(workspace: string, context: VerbContext, output: VerbOutput): number {
  const changed = withIndex(context, false, (index) => index.trust.revoke(workspace));
  output.line(
    stripControls(
      changed ? `${workspace} is not trusted any more` : `${workspace} was not trusted`,
    ),
  );
  output.data({ ok: true, workspace, changed });
  return EXIT_DONE;
}

function* linesOf(
  workspace: string,
  { state, changed }: FoundTrust,
  files: readonly TrustedFile[],
): Generator<string> {
  switch (state) {
    case 'nothing-to-trust':
      yield `${workspace} has no files of its own that could be trusted`;
      return;
    case 'trusted':
      yield `${workspace} is trusted:`;
      break;
    case 'changed':
      yield `${workspace} was trusted, and since then these have changed: ${changed.join(', ')}`;
      break;
    case 'untrusted':
      yield `${workspace} is not trusted. Once it is, these files take effect:`;
      break;
  }
  for (const { name, what, sets } of files) {
    yield `  ${JSON.stringify(name).slice(1, -1)}: ${what}`;
    for (const { key, value } of sets) yield `    ${key} = ${value}`;
  }
}

async function onTerminal(question: string): Promise<string | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // The end of the input, or Ctrl+C, answers nothing and would leave the question waiting.
  const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)));
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}
