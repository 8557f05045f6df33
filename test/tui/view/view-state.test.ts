import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pictureOf } from '../../../tui/dashboard-picture.js';
import { BINDINGS } from '../../../tui/view/key-table.js';
import { textOf } from '../../../tui/view/line-editor.js';
import {
  initialView,
  type DashboardMode,
  type Effect,
  type ViewEvent,
  type ViewState,
} from '../../../tui/view/view-model.js';
import { needsClock, step } from '../../../tui/view/view-state.js';
import { agent, call, entries, hold, MAIN, snapshot, START } from '../example-session.js';

const key = (name: string): ViewEvent => ({
  type: 'key',
  name,
  text: name.length === 1 ? name : '',
});
const shown = (changes = {}): ViewEvent => ({ type: 'snapshot', snapshot: snapshot(changes) });
const bye: ViewEvent = { type: 'ended', end: { kind: 'bye', result: null } };
const lost: ViewEvent = { type: 'ended', end: { kind: 'lost', reason: 'gone' } };

/** Runs the events, each so many milliseconds after the one before. */
function after(
  mode: DashboardMode,
  events: readonly (ViewEvent | number)[],
): [ViewState, Effect[]] {
  let now = START;
  let state = initialView(mode, { width: 80, height: 24 }, now);
  const effects: Effect[] = [];
  for (const event of events) {
    if (typeof event === 'number') {
      now += event;
      continue;
    }
    const [next, wanted] = step(state, event, now);
    state = next;
    effects.push(...wanted);
  }
  return [state, effects];
}

const act = (action: object): object => ({ type: 'act', action });
const end = (how: object): object => ({ type: 'end', end: how });

test.each<[string, DashboardMode, (ViewEvent | number)[], object[]]>([
  ['q leaves', 'run', [shown(), key('q')], [end({ kind: 'left' })]],
  ['p pauses', 'run', [shown(), key('p')], [act({ do: 'pause', now: false, until: null })]],
  [
    'p resumes what is held',
    'run',
    [shown({ holds: [hold()] }), key('p')],
    [act({ do: 'resume' })],
  ],
  [
    'p pauses while only a sub-agent is held',
    'run',
    [shown({ holds: [hold({ scope: MAIN })] }), key('p')],
    [act({ do: 'pause', now: false, until: null })],
  ],
  [
    'p pauses what waits for its server, so that it stays where it is when that is back',
    'run',
    [shown({ holds: [hold({ kind: 'endpoint' })] }), key('p')],
    [act({ do: 'pause', now: false, until: null })],
  ],
  [
    'p then resumes, which asks the server at once',
    'run',
    [shown({ holds: [hold({ kind: 'endpoint' }), hold()] }), key('p')],
    [act({ do: 'resume' })],
  ],
  ['one Esc does nothing', 'run', [shown(), key('escape')], []],
  [
    'a second Esc interrupts',
    'run',
    [shown(), key('escape'), key('escape')],
    [act({ do: 'interrupt' })],
  ],
  ['a late second Esc does not', 'run', [shown(), key('escape'), 2_001, key('escape')], []],
  [
    'Esc closes before it interrupts',
    'run',
    [shown(), key('?'), key('z'), key('escape'), key('escape')],
    [],
  ],
  [
    'Ctrl+C twice stops in run',
    'run',
    [key('C-c'), key('C-c')],
    [act({ do: 'interrupt' }), { type: 'stop-and-end' }],
  ],
  [
    'Ctrl+C twice leaves in attach',
    'attach',
    [key('C-c'), key('C-c')],
    [act({ do: 'interrupt' }), end({ kind: 'left' })],
  ],
  ['Ctrl+C clears the line first', 'run', [shown(), key('i'), key('x'), key('C-c')], []],
  [
    'Ctrl+C on an empty line interrupts',
    'run',
    [shown(), key('i'), key('C-c')],
    [act({ do: 'interrupt' })],
  ],
  ['an empty message is not sent', 'run', [shown(), key('i'), key(' '), key('enter')], []],
  [
    'keys of the table are text while typing',
    'run',
    [shown(), key('i'), key('q'), key('Q'), key('p')],
    [],
  ],
  [
    'a late Enter after Esc sends nothing',
    'run',
    [shown(), key('i'), key('x'), key('escape'), 301, key('enter')],
    [],
  ],
  ['R needs a lost session', 'run', [shown(), key('R')], []],
  [
    'q after a loss says so',
    'run',
    [shown(), lost, key('q')],
    [end({ kind: 'lost', reason: 'gone' })],
  ],
  ['nothing is asked of a lost session', 'run', [shown(), lost, key('p'), key('P'), key('i')], []],
  ['a key right after the end is not for closing', 'run', [shown(), bye, key('x')], []],
  [
    'looking around does not close',
    'run',
    [shown(), bye, 999, key('up'), key('tab'), key('z'), key('escape')],
    [],
  ],
  [
    'any other key closes',
    'run',
    [shown(), bye, 999, key('x')],
    [end({ kind: 'ended', result: null })],
  ],
  ['Ctrl+Z suspends', 'run', [shown(), key('C-z')], [{ type: 'suspend' }]],
])('%s', (_, mode, events, effects) => {
  expect(after(mode, events)[1]).toEqual(effects);
});

test('what was typed is kept while the line is closed', () => {
  const [state] = after('run', [shown(), key('i'), key('x'), key('escape'), 1_000]);
  expect(state.typing).toBeNull();
  expect(textOf(state.draft)).toBe('x');
});

test('a notice goes away by itself', () => {
  const [state] = after('run', [shown(), key('escape'), 2_000, { type: 'tick' }]);
  expect(state.notice).toBeNull();
});

test.each<[string, ViewEvent, boolean]>([
  ['nothing moves', shown({ agents: [agent({ phase: 'gated' })] }), false],
  ['a tool runs', shown({ agents: [agent({ phase: 'acting' })], calls: [call('x')] }), true],
  ['a model is asked', shown(), true],
  ['a hold waits for a person', shown({ agents: [], holds: [hold()] }), false],
  ['a hold counts down', shown({ agents: [], holds: [hold({ until: START + 9 })] }), true],
])('the clock when %s ticks: %s', (_, event, ticks) => {
  expect(needsClock(after('run', [event])[0])).toBe(ticks);
});

test('the clock stands still after the end', () => {
  expect(needsClock(after('run', [shown({ calls: [call('x')] }), bye])[0])).toBe(false);
});

test('the age of a phase counts from when it was first seen', () => {
  const [state] = after('run', [shown(), 5_000, shown({ version: 2 })]);
  expect(state.phases.get(MAIN)?.since).toBe(START);
  const [next] = after('run', [
    shown(),
    5_000,
    shown({ version: 2, agents: [agent({ round: 9 })] }),
  ]);
  expect(next.phases.get(MAIN)?.since).toBe(START + 5_000);
});

const names = [...BINDINGS.flatMap(({ keys }) => keys), 'x', 'y', 'M-enter', 'C-q', 'left'];
const anyEvent: fc.Arbitrary<ViewEvent> = fc.oneof(
  fc.constantFrom(...names).map(key),
  fc
    .record({ width: fc.nat(120), height: fc.nat(40) })
    .map((size): ViewEvent => ({ type: 'resize', size })),
  fc.nat(60).map((count) => shown({ version: count, log: entries(count) })),
  fc.constantFrom<ViewEvent>({ type: 'tick' }, { type: 'lagged', dropped: 3 }, bye, lost, {
    type: 'delta',
    delta: { type: 'agent.delta', agent: MAIN, round: 9, kind: 'text', text: 'words 漢字\n' },
  }),
);

test('any events on any size of terminal make a picture that stays inside it', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      const [state] = after('run', events);
      const { boxes, cursor } = pictureOf(state);
      const { width, height } = state.size;
      for (const { rect } of boxes) {
        expect(rect.left + rect.width).toBeLessThanOrEqual(width);
        expect(rect.top + rect.height).toBeLessThanOrEqual(Math.max(1, height));
      }
      if (cursor !== null) expect(cursor.x).toBeLessThan(Math.max(1, width));
    }),
  );
});
