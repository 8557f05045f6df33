/** Which session a verb is about: the one that was named, or the only one in this folder that fits. */
import { realpathSync } from 'node:fs';
import { MIN_ID_PREFIX, shortId } from '../../messages/ids.js';
import type { IndexStore } from '../store/index-store.js';
import type { SessionRecord } from '../store/session-record.js';
import { asItStands, listSessions } from './liveness.js';
import type { StandingSession } from './liveness.js';
import { withIndex } from './open-home.js';
import { sessionLine } from './session-names.js';
import type { VerbContext } from './verb-context.js';
import { usage } from './verb-output.js';
import type { VerbFailure } from './verb-output.js';

export interface Wanted {
  /** A prefix of an id, or a name; left out: the session of this workspace. */
  readonly id?: string | undefined;
  /** Which sessions come into question when none is named; one that is named always does. */
  readonly fitting: 'live' | 'any';
  /** Too much depends on it to guess for a script: off a terminal it has to be named. */
  readonly neverGuess?: boolean;
}

export type Selected =
  | { readonly ok: true; readonly session: StandingSession }
  | { readonly ok: false; readonly failure: VerbFailure };

const refused = (failure: VerbFailure): Selected => ({ ok: false, failure });

export const selectSession = (wanted: Wanted, context: VerbContext): Selected =>
  wanted.id === undefined ? implied(wanted, context) : named(wanted.id, context);

export interface WantedOrAll extends Wanted {
  /** Every session that runs, wherever it works. */
  readonly all?: boolean | undefined;
}

/** Several, for verbs that know `--all`; none is no failure then. */
export function selectSessions(
  { all = false, ...wanted }: WantedOrAll,
  context: VerbContext,
):
  | { readonly ok: true; readonly sessions: readonly StandingSession[] }
  | { readonly ok: false; readonly failure: VerbFailure } {
  if (all && wanted.id !== undefined) {
    return { ok: false, failure: usage(`name a session or say --all, not both: ${wanted.id}`) };
  }
  if (all) return { ok: true, sessions: listSessions(context, {}).filter(({ live }) => live) };
  const selected = selectSession(wanted, context);
  return selected.ok ? { ok: true, sessions: [selected.session] } : selected;
}

function named(text: string, context: VerbContext): Selected {
  const wanted = text.trim();
  const found = withIndex(context, [], (index) =>
    matching(index, wanted).map((record) => asItStands(context.home, index, record)),
  );
  const [only, ...others] = found;
  if (only === undefined) return refused(unknown(wanted));
  return others.length === 0
    ? { ok: true, session: only }
    : refused(ambiguous(`${wanted} could be any of these:`, found));
}

/** By id, or by name where that says more than the beginning of an id. */
function matching(index: IndexStore, wanted: string): readonly SessionRecord[] {
  const byId = index.findByPrefix(wanted);
  if (byId.some(({ id }) => id === wanted.toLowerCase())) return byId;
  const byName = wanted === '' ? [] : index.list({ all: true }).filter(hasName(wanted));
  return [...new Map([...byId, ...byName].map((record) => [record.id, record])).values()];
}

const hasName =
  (wanted: string) =>
  ({ name }: SessionRecord): boolean =>
    name === wanted;

function implied({ fitting, neverGuess = false }: Wanted, context: VerbContext): Selected {
  const workspace = realpathSync(context.cwd);
  const here = listSessions(context, { workspace, all: true });
  const live = here.filter((session) => session.live);
  const candidates = fitting === 'live' || live.length > 0 ? live : here;
  const [only, ...others] = candidates;
  if (neverGuess && !context.isTerminal) {
    return refused(ambiguous('off a terminal the session must be named:', candidates));
  }
  if (only === undefined) return refused(noneHere(workspace, here.length > 0));
  return others.length === 0
    ? { ok: true, session: only }
    : refused(ambiguous(`more than one session could be meant; name one:`, candidates));
}

function unknown(wanted: string): VerbFailure {
  if (wanted.length < MIN_ID_PREFIX) {
    const need = `an id is named by at least ${MIN_ID_PREFIX} of its characters`;
    return usage(`no session is called "${wanted}", and ${need}; list them: ouro ls --all`);
  }
  const message = `there is no session "${wanted}"; list them: ouro ls --all`;
  return { code: 'unknown_session', message };
}

function ambiguous(message: string, candidates: readonly StandingSession[]): VerbFailure {
  const lines = candidates.map((session) => `  ${sessionLine(session)}`);
  const listed = lines.length > 0 ? lines : ['  (none fits here; list them: ouro ls --all)'];
  return {
    code: 'ambiguous',
    message: [message, ...listed].join('\n'),
    details: { candidates: candidates.map(({ id }) => id) },
  };
}

const noneHere = (workspace: string, anyEnded: boolean): VerbFailure => ({
  code: anyEnded ? 'not_running' : 'unknown_session',
  message: anyEnded
    ? `no session is running in ${workspace}; list them: ouro ls --all`
    : `there is no session in ${workspace}; list those elsewhere: ouro ls --all`,
});

export const resumeCommand = ({ id }: Pick<SessionRecord, 'id'>): string =>
  `ouro resume ${shortId(id)}`;
