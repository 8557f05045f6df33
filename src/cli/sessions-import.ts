/** `ouro sessions import`: a session made from another program's, ready to go on here. */
import { resolve } from 'node:path';
import type { ImportOrigin } from '../../messages/imported.js';
import { shortId } from '../../messages/ids.js';
import type { Usage } from '../../messages/model.js';
import { sanitiseLine } from '../../tui/text/sanitise.js';
import { importSession, type Imported } from '../session-import.js';
import { redactor } from '../tools/redaction.js';
import { planRun } from './plan-run.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb } from './verb-output.js';
import { findWorkspace } from './workspace.js';
import { workspaceTrust } from './workspace-trust.js';

export interface ImportFlags {
  readonly format?: ImportOrigin['format'];
  readonly workspace?: string;
  readonly name?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly json?: boolean;
}

interface ImportOptions extends ImportFlags {
  readonly path: string;
}

export const importInto = (options: ImportOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const planned = await planFor(options, context);
    if ('reason' in planned) return output.fail({ code: 'not_possible', message: planned.reason });
    const { spec, env } = planned;
    const made = await importSession({
      home: context.home,
      path: resolve(context.cwd, options.path),
      format: options.format,
      spec: { ...spec, name: options.name ?? '' },
      redact: redactor(env),
      time: context,
    });
    const notices = noticesOf(made);
    for (const notice of notices) output.note(notice);
    output.line(shortId(spec.id));
    output.note(
      `Imported ${summaryOf(made)}. It goes on with: ouro run -r ${shortId(spec.id)} "GOAL"`,
    );
    output.data({ ok: true, ...jsonOf(made), notices });
    return EXIT_DONE;
  });

/** What a new session of this folder would be: server, rules, limits. */
async function planFor(
  { workspace: named, model, baseUrl }: ImportOptions,
  context: VerbContext,
): Promise<{ spec: Imported['spec']; env: VerbContext['env'] } | { reason: string }> {
  const { home, env, cwd } = context;
  const found = findWorkspace(named, cwd, home);
  if (!found.ok) return { reason: found.reason };
  const { workspace } = found;
  const trusted = await workspaceTrust({ place: context, workspace });
  if (!trusted.ok) return { reason: trusted.reason };
  const planned = planRun({
    ...{ home, env, workspace, trust: trusted.trust },
    flags: {
      ...(model === undefined ? {} : { model }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    },
    headless: false,
    checkFirst: false,
    work: { kind: 'new', goal: '', rehearsal: null },
  });
  if (!planned.ok) return { reason: planned.ending.reason };
  const { request } = planned.plan;
  if (request.work.kind !== 'new') throw new Error('a new session was planned');
  return { spec: request.work.spec, env: request.env };
}

function noticesOf({ cwd, spec, notices }: Imported): readonly string[] {
  const elsewhere =
    cwd === null || cwd === spec.workspace
      ? []
      : [
          `it worked in ${sanitiseLine(cwd)} before; here it works in ${spec.workspace} (another with -C)`,
        ];
  return [...notices, ...elsewhere];
}

const summaryOf = ({ messages, calls, agents, origin }: Imported): string =>
  [
    `${messages} messages and ${calls} calls`,
    ...(agents > 0 ? [`${agents} sub-agents`] : []),
    ...(origin.usage === null ? [] : [tokens(origin.usage)]),
  ].join(', ');

const tokens = ({ promptTokens, completionTokens }: Usage): string =>
  `${promptTokens + completionTokens} tokens that were spent elsewhere`;

const jsonOf = ({ spec, origin, messages, calls, agents, cwd }: Imported): object => ({
  session: spec.id,
  name: spec.name,
  workspace: spec.workspace,
  format: origin.format,
  from: origin.from,
  imported_session: origin.session,
  imported_cwd: cwd,
  messages,
  calls,
  agents,
  usage: origin.usage,
});
