import { describe, expect, test } from 'vitest';
import { recoveryHold, STALE_MS } from '../../actors/recovery-hold.js';
import { fold } from '../../actors/recovery.js';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import { rowsOf } from '../support/journal-rows.js';
import { holdOf, MAIN, specOf, START, usageOf } from '../support/session-samples.js';

const spec = specOf();
const started = sessionFact('session.started', { spec, version: '0.1.0', pid: 1 });
const resumed = sessionFact('session.resumed', { spec, version: '0.1.0', pid: 2 });
const asked = factOf('model.intent', MAIN, 1, { model: 'm', messages: 2, attempt: 1 });
const lost = factOf('model.outcome', MAIN, 1, { status: 'lost' });
const answered = factOf('model.outcome', MAIN, 1, {
  status: 'ok',
  usage: usageOf(1, 1),
  model: 'm',
  ms: 1,
  finish: 'stop',
});
const unknown = factOf('tool.outcome', MAIN, 1, {
  callId: 'main_1_1' as never,
  name: 'shell',
  outcome: { status: 'unknown', text: '' },
});
const held = sessionFact('hold.set', { hold: holdOf() });

const deathsIn = (...facts: readonly JournalFact[]): number => fold(rowsOf(...facts)).deaths;

describe('deaths at one point', () => {
  test('are counted from the first, whatever a restart writes by itself', () => {
    expect(deathsIn(started, asked)).toBe(1);
    expect(deathsIn(started, asked, resumed, lost, asked)).toBe(2);
    expect(deathsIn(started, asked, resumed, lost, unknown, asked, resumed, lost, asked)).toBe(3);
  });

  test('begin anew with an answer, with a word from a person, and when it was let go', () => {
    const said = sessionFact('user.action', { action: { do: 'send', text: 'x', mode: 'steer' } });
    const letGo = sessionFact('hold.lifted', { kind: 'recovery', scope: 'session' });
    for (const progress of [answered, said, letGo]) {
      expect(deathsIn(started, asked, resumed, progress, asked)).toBe(1);
    }
  });

  test('are not ends: one that was stopped has not died, one with an internal error has', () => {
    const ended = (status: 'stopped' | 'internal_error') =>
      sessionFact('session.ended', { status, text: '', reason: '' });
    expect(deathsIn(started, asked, ended('stopped'))).toBe(0);
    expect(deathsIn(started, asked, ended('stopped'), resumed, asked)).toBe(1);
    expect(deathsIn(started, asked, ended('internal_error'), resumed, asked)).toBe(2);
  });

  test('do not count while it is held: then it gets no further anyway', () => {
    expect(deathsIn(started, held, resumed, resumed, resumed)).toBe(0);
  });
});

describe('a session that comes back', () => {
  const coming = { session: spec.id, deaths: 1, lastTs: START, now: START + 1, byPerson: false };

  test('goes on after a death or two', () => {
    expect(recoveryHold({ ...coming, deaths: 2 })).toBeNull();
  });

  test('is held after the third death at one point, also when a person resumes it', () => {
    const hold = recoveryHold({ ...coming, deaths: 3, byPerson: true });
    expect(hold).toMatchObject({ kind: 'recovery', scope: 'session', until: null });
    expect(hold?.release).toBe(`ouro resume ${spec.id.slice(0, 8)} --force`);
  });

  test('is held after more than a day of silence, unless a person asks for it', () => {
    expect(recoveryHold({ ...coming, now: START + STALE_MS })).toBeNull();
    const late = { ...coming, now: START + STALE_MS + 1 };
    expect(recoveryHold(late)?.reason).toContain('24 hours');
    expect(recoveryHold({ ...late, byPerson: true })).toBeNull();
  });
});
