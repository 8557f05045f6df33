import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actionOf, readArgs, readEnvelope } from '../../src/control/requests.js';
import { argsOfChange } from '../../src/control/set-args.js';
import { settingsChanges } from '../support/settings-changes.js';

const read = (request: object): unknown => {
  const envelope = readEnvelope(JSON.stringify({ v: 1, id: 7, token: 't', ...request }));
  return envelope.kind === 'refused' ? envelope : readArgs(envelope);
};

test.each([
  [{ do: 'dance' }, 'unknown_verb', '"dance"'],
  [{ do: 'answer', args: {} }, 'bad_request', 'args.question'],
  [{ do: 'fork', args: {} }, 'unknown_verb', 'fork'],
  [{ do: ['stop'] }, 'unknown_verb', 'nothing'],
  [{ do: 'pause', args: { now: 1 } }, 'bad_request', 'args.now must be true or false'],
  [{ do: 'pause', args: { until: 'tomorrow' } }, 'bad_request', 'args.until'],
  [{ do: 'pause', args: { soon: true } }, 'bad_request', 'args.soon is not known'],
  [{ do: 'stop', args: [] }, 'bad_request', 'args must be an object'],
  [{ do: 'send' }, 'bad_request', 'args.text'],
  [{ do: 'send', args: { text: ' ' } }, 'bad_request', 'args.text'],
  [{ do: 'send', args: { text: 'a', mode: 'shout' } }, 'bad_request', 'args.mode'],
  [{ do: 'subscribe', args: { events: ['smoke'] } }, 'bad_request', 'args.events'],
  [{ do: 'stop', args: { constructor: 1 } }, 'bad_request', 'args.constructor'],
  [
    { do: 'resume', args: { add_cost: -1 } },
    'bad_request',
    'args.add_cost must be a number above 0',
  ],
  [{ do: 'resume', args: { add_cost: '2' } }, 'bad_request', 'args.add_cost'],
  [{ do: 'set', args: { model: 'a b' } }, 'bad_request', 'args.model must be a model name'],
  [{ do: 'set', args: { max_rounds: 0 } }, 'bad_request', 'or null for no limit'],
  [{ do: 'set', args: { every: '6h' } }, 'bad_request', 'args.every is not known'],
  [{ do: 'stop', v: 2 }, 'bad_request', 'v must be 1'],
  [{ do: 'stop', token: 5 }, 'unauthorised', 'token'],
  [{ do: 'stop', id: 'x' }, 'bad_request', 'id must be'],
])('%j is refused as %s and names the key', (request, code, named) => {
  expect(read(request)).toMatchObject({
    kind: 'refused',
    code,
    message: expect.stringContaining(named) as string,
  });
});

test('what was left out of an action is filled in', () => {
  expect(actionOf({ do: 'pause' })).toEqual({ do: 'pause', now: false, until: null });
  expect(actionOf({ do: 'send', args: { text: 'hi' } })).toEqual({
    do: 'send',
    text: 'hi',
    mode: 'steer',
  });
});

test('what is added to limits goes with the resume, and nothing is added by a plain one', () => {
  expect(actionOf({ do: 'resume' })).toEqual({ do: 'resume' });
  expect(actionOf({ do: 'resume', args: {} })).toEqual({ do: 'resume' });
  const args = { add_cost: 2, add_tokens: 3, add_time_ms: 4 };
  expect(actionOf({ do: 'resume', args })).toEqual({
    do: 'resume',
    add: { usd: 2, tokens: 3, timeMs: 4 },
  });
});

test('no line whatever makes the reader throw', () => {
  const lines = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => `{"v":1,"id":1,"token":"t","do":"send","args":${json}}`),
  );
  fc.assert(
    fc.property(lines, (line) => {
      const envelope = readEnvelope(line);
      if (envelope.kind === 'envelope') readArgs(envelope);
    }),
  );
});

test('a change of settings arrives as it was sent', () => {
  fc.assert(
    fc.property(settingsChanges, (change) => {
      const args = read({ do: 'set', args: argsOfChange(change) });
      expect(actionOf(args as Parameters<typeof actionOf>[0])).toEqual({ do: 'set', change });
    }),
  );
});
