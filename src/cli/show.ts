/** `ouro show`: why it did that. One round of one agent: request, answer, calls, and what decided about them. */
import { MAIN_AGENT, shortId, type AgentId, type CallId } from '../../messages/ids.js';
import { oneLine } from '../../tui/event-line.js';
import { findRound, roundOfCall, type RoundSearch, type RoundWish } from '../session-round.js';
import type { JournalPlace } from '../store/journal-file.js';
import { sessionDir } from '../store/layout.js';
import { selectSession } from './select-session.js';
import { roundText } from './show-text.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb, usage, type VerbFailure } from './verb-output.js';

export interface ShowOptions {
  readonly id?: string | undefined;
  /** As typed; left out: the newest. */
  readonly round?: string | undefined;
  readonly agent?: string | undefined;
  /** All messages of the request. */
  readonly request?: boolean | undefined;
  /** A call of which all is told; it says itself in which round it was. */
  readonly call?: string | undefined;
  readonly json?: boolean | undefined;
}

export const show = (options: ShowOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, (output) => {
    const wrong = wrongUse(options);
    if (wrong !== null) return output.fail(usage(wrong));
    const selected = selectSession({ id: options.id, fitting: 'any' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const { id } = selected.session;
    const place = { dir: sessionDir(context.home, id), session: id };
    const wish = wishOf(options, place);
    if ('code' in wish) return output.fail(wish);
    const search = findRound(place, wish);
    if (search.found === null) return output.fail(noRound(place, wish, search));
    const { found } = search;
    const { call, request = false } = options;
    const calls = found.record.calls.filter(({ call_id }) => (call ?? call_id) === call_id);
    const shown = { ...found, record: { ...found.record, calls } };
    output.line(`${shortId(id)}  ${roundText(shown, { request, whole: call !== undefined })}`);
    const { messages, isWhole } = found.request;
    output.data({
      ok: true,
      session: id,
      round: { ...shown.record, cost_usd: found.costUsd },
      request: { count: messages.length, is_whole: isWhole, ...(request ? { messages } : {}) },
    });
    return EXIT_DONE;
  });

function wrongUse({ round, agent, call }: ShowOptions): string | null {
  if (round !== undefined && !/^[1-9]\d{0,8}$/.test(round))
    return `--round ${round}: expected the number of a round, from 1 on`;
  if (call !== undefined && (round ?? agent) !== undefined)
    return '--call says itself in which round it was: leave --round and --agent out';
  return null;
}

function wishOf({ round, agent, call }: ShowOptions, place: JournalPlace): RoundWish | VerbFailure {
  if (call === undefined) {
    const wanted = round === undefined ? null : Number(round);
    return { agent: (agent ?? MAIN_AGENT) as AgentId, round: wanted };
  }
  const wish = roundOfCall(place, call as CallId);
  if (wish !== null) return wish;
  const message = `there is no call ${oneLine(call)} in session ${shortId(place.session)}; calls are named like main_3_1, as ouro show lists them`;
  return { code: 'not_possible', message };
}

function noRound(
  { session }: JournalPlace,
  { agent, round }: RoundWish,
  { newest, spec }: RoundSearch,
): VerbFailure {
  const short = shortId(session);
  const last = newest.get(agent);
  const fork = spec?.forkedFrom;
  const message = ((): string => {
    if (last === undefined) {
      const known = [...newest.keys()].join(', ');
      return `session ${short} has no agent ${oneLine(agent)}; it has: ${known || 'none yet'}`;
    }
    if (agent === MAIN_AGENT && fork !== undefined && (round ?? 0) <= fork.round)
      return `session ${short} has its first ${fork.round} rounds from another: ouro show ${shortId(fork.session)} --round ${round ?? fork.round}`;
    if (round === null || last === 0)
      return `${agent} of session ${short} has not asked the model yet`;
    return `${agent} of session ${short} has the rounds 1 to ${last}, not ${round}`;
  })();
  return { code: 'not_possible', message };
}
