/** `ouro sessions list` and `show`: what sessions there are, with their tags, sizes and places. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SessionState } from '../../messages/session.js';
import { stamp } from '../../tui/text/amounts.js';
import { fitWidth, sanitiseLine } from '../../tui/text/sanitise.js';
import { worktreeCommands } from '../../tui/text/worktree-commands.js';
import { sessionDir } from '../store/layout.js';
import { isTag, TAG_FORM } from '../store/session-labels.js';
import { listSessions } from './liveness.js';
import { selectSession } from './select-session.js';
import { sizeText, taggedJson, taggedLine, taggedSession } from './tagged-sessions.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb, usage } from './verb-output.js';
import { worktreeOf } from './worktree-removal.js';

export interface ListOptions {
  /** As typed: a folder. */
  readonly workspace?: string | undefined;
  readonly state?: string | undefined;
  readonly tag?: string | undefined;
  readonly json?: boolean | undefined;
}

const STATES: Readonly<Record<SessionState, true>> = {
  starting: true,
  running: true,
  resting: true,
  held: true,
  stopping: true,
  done: true,
  unverified: true,
  failed: true,
  stopped: true,
  interrupted: true,
};

export const sessionsList = (options: ListOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, (output) => {
    const { workspace, state, tag } = options;
    if (state !== undefined && !Object.hasOwn(STATES, state))
      return output.fail(usage(`--state ${state}: expected ${Object.keys(STATES).join(', ')}`));
    if (tag !== undefined && !isTag(tag))
      return output.fail(usage(`--tag ${tag}: expected ${TAG_FORM}`));
    const place = workspace === undefined ? {} : { workspace: realOf(context.cwd, workspace) };
    const found = listSessions(context, { all: true, ...place })
      .filter((session) => (state ?? session.state) === session.state)
      .map((session) => taggedSession(context.home, session))
      .filter(({ tags }) => tag === undefined || tags.includes(tag));
    if (found.length === 0) output.line('no session fits');
    for (const one of found) output.line(taggedLine(one, context.now()));
    output.data({ ok: true, sessions: found.map(taggedJson) });
    return EXIT_DONE;
  });

/** The workspace of an old session may be gone. */
function realOf(cwd: string, workspace: string): string {
  const path = resolve(cwd, workspace);
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const LABEL_CELLS = 11;

export const sessionsShow = (
  { id, json }: { readonly id?: string | undefined; readonly json?: boolean | undefined },
  context: VerbContext,
): Promise<number> =>
  runVerb(context, { json }, (output) => {
    const selected = selectSession({ id, fitting: 'any' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { home } = context;
    const { session } = selected;
    const tagged = taggedSession(home, session);
    const folder = sessionDir(home, session.id);
    const worktree = worktreeOf(context, session.id);
    const commands = worktree === null ? null : worktreeCommands(worktree);
    const lines: [string, string][] = [
      ['id', session.id],
      ['name', session.name],
      ['state', session.state],
      ['tags', tagged.tags.join(' ')],
      ['goal', session.goal],
      ['model', session.model],
      ['workspace', session.workspace],
      ['worktree', worktree === null ? '' : `of ${worktree.origin}, on ${worktree.branch}`],
      ['commit', commands?.commit ?? ''],
      ['merge', commands?.merge ?? ''],
      ['remove', commands?.remove ?? ''],
      ['started', stamp(session.startedAt)],
      ['last heard', stamp(session.updatedAt)],
      ['folder', folder],
      ['size', sizeText(tagged.bytes)],
    ];
    for (const [label, text] of lines)
      if (text !== '') output.line(`${fitWidth(label, LABEL_CELLS)}${sanitiseLine(text)}`);
    const own = worktree === null ? {} : { worktree };
    output.data({ ok: true, session: { ...taggedJson(tagged), folder, ...own } });
    return EXIT_DONE;
  });
