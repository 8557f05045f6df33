/** A call that changes something begins once, as the model asked for it, and only after its intent is on disk. */
import { callIdOf, type CallId } from '../../messages/ids.js';
import type { Moment } from '../happenings.js';
import type { Invariant, Of } from './invariant.js';

export const effectsOnce: Invariant = {
  name: 'effects-once',
  promise: 'The same call with side effects is never started twice, and never ahead of its record.',
  watch: (report) => {
    const intended = new Set<CallId>();
    const begun = new Set<CallId>();
    /** What the model wants done with a call; a second wish for the same thing is a call of its own. */
    const wanted = new Map<CallId, string>();

    const begins = ({ callId, key, changes }: Of<'effect.began'>): void => {
      if (!intended.has(callId)) report(`${callId} began before its intent was on disk`);
      if (!changes) return;
      if (begun.has(callId)) report(`${callId} began twice`);
      begun.add(callId);
      const asked = wanted.get(callId);
      if (asked?.includes(`"${key}"`) !== true) {
        report(`${callId} changed ${key}, and was asked for as ${asked ?? 'nothing'}`);
      }
    };
    const isAnswered = ({ agent, round, outcome }: Of<'request.ended'>): void => {
      if (outcome.status !== 'ok') return;
      outcome.reply.calls.forEach(({ argumentsText }, i) =>
        wanted.set(callIdOf(agent, round, i + 1), argumentsText),
      );
    };
    const areOnDisk = ({ rows }: Of<'rows.acknowledged'> | Of<'life.began'>): void => {
      for (const { kind, body } of rows) if (kind === 'tool.intent') intended.add(body.callId);
    };
    return {
      see: ({ what }: Moment) => {
        if (what.type === 'effect.began') begins(what);
        if (what.type === 'request.ended') isAnswered(what);
        if (what.type === 'rows.acknowledged' || what.type === 'life.began') areOnDisk(what);
      },
    };
  },
};
