/**
 * One agent's loop, as states a person can read. Accepts `agent.*` commands; goes on only while its gate is
 * open; reports its phase, and once, at its end, how the cycle ended. Its conversation lives outside of
 * the machine's context.
 *
 *   gated → preparing → asking → acting → recording → gated …
 */
import { assign, fromPromise, setup as setupMachine } from 'xstate';
import type { AgentCommand, AgentPhase, CycleEnd } from '../messages/agents.js';
import { factOf } from '../messages/journal.js';
import { isTransient, type ModelError } from '../messages/model.js';
import {
  act,
  ask,
  modelOf,
  prepare,
  record,
  type AgentPorts,
  type AgentSetup,
  type Asked,
  type Prepared,
  type Request,
} from './agent-steps.js';
import { endOf, failureOf, stop } from './agent-outcomes.js';
import { changeSetup } from './agent-settings.js';
import { isWorthWaiting } from './backoff.js';
import {
  askedAgain,
  failureOfRound,
  heldBack,
  isRepairable,
  lastError,
  NEW_ROUND,
  NOTHING_FAILED,
  weighFailure,
  type Failing,
  type Weighed,
} from './model-failure.js';

/** `round`: the one under way, or the last one that was. `attempt`: counted from 1 for each model asked. */
interface Loop extends Request, Failing {
  readonly retryInMs: number;
  readonly end: CycleEnd | null;
}

export function agentMachine(ports: AgentPorts, agentSetup: AgentSetup) {
  const { agent, conversation } = agentSetup;
  /** Aborts the request under way, or the hooks that come before it; it then ends as a value, so that no step outlives its state. */
  let request = new AbortController();
  /** The model of the newest request; a person may have changed it since. */
  let asked = '';

  const report = (phase: AgentPhase, loop: Loop, more: { detail?: string; until?: number } = {}) =>
    void ports.tell({
      type: 'agent.status',
      agent,
      phase,
      round: loop.round,
      at: ports.time.now(),
      ...(agentSetup.plan?.isPlanning === true ? { detail: 'planning' } : {}),
      ...more,
    });

  const machine = setupMachine({
    types: { context: {} as Loop, events: {} as AgentCommand },
    actors: {
      passGate: fromPromise<unknown>(({ signal }) => ports.gate.opened(agent, signal)),
      prepare: fromPromise<Prepared, Loop>(({ input }) => {
        request = new AbortController();
        return prepare(ports, agentSetup, input.round, request.signal);
      }),
      awaitChildren: fromPromise<unknown>(
        ({ signal }) => ports.children?.reported(agent, signal) ?? Promise.resolve(),
      ),
      ask: fromPromise<Asked, Loop>(({ input }) => {
        request = new AbortController();
        asked = modelOf(ports, agentSetup, input);
        return ask(ports, agentSetup, input, request.signal);
      }),
      weigh: fromPromise<Weighed, Loop>(({ input }) => {
        const model = modelOf(ports, agentSetup, input);
        if (model !== asked) return Promise.resolve({ do: 'again' });
        const failure = failureOfRound(agent, model, input);
        return weighFailure(ports.failures, conversation, failure, input);
      }),
      hold: fromPromise<unknown, Loop>(async ({ input, signal }) => {
        if (input.hold !== null) await ports.failures?.hold(input.hold, signal);
      }),
      act: fromPromise<unknown, Loop>(({ input }) => act(ports, agentSetup, input.round)),
    },
    actions: {
      nextRound: assign({
        ...NEW_ROUND,
        round: ({ context }) => context.round + 1,
        attempt: 1,
      }),
      nextAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
      /** The request was never sent: the round is still to come. */
      takeBackRound: assign({ round: ({ context }) => context.round - 1 }),
      endWith: assign({ end: (_, end: CycleEnd) => end }),
      scheduleRetry: assign({
        error: (_, error: ModelError) => error,
        retryInMs: ({ context }, error: ModelError) => ports.retryDelay(context.attempt, error),
        // Some servers answer every request with 500 once the history has offended them.
        repaired: ({ context }, error: ModelError) =>
          context.repaired || (error.kind === 'server' && isRepairable(conversation)),
      }),
      noteFailure: assign({ error: (_, error: ModelError) => error, retryInMs: 0 }),
      askAgain: assign(({ context }, weighed: Weighed) => askedAgain(context, weighed)),
      holdRound: assign((_, weighed: Weighed) => heldBack(weighed)),
      hear: (_, said: Extract<AgentCommand, { type: 'agent.say' }>) => {
        const { text, mode, source } = said;
        conversation.hear({ text, mode, source });
      },
      set: (_, change: Extract<AgentCommand, { type: 'agent.set' }>) => {
        changeSetup(agentSetup, change);
      },
      abort: () => {
        request.abort();
      },
      report: ({ context }, phase: AgentPhase) => {
        report(phase, context);
      },
      reportGated: ({ context }) => {
        if (!ports.gate.isOpen(agent)) report('gated', context);
      },
      reportAwaiting: ({ context }) => {
        report('acting', context, { detail: 'waits for its sub-agents' });
      },
      reportRetry: ({ context: { round, attempt, error, retryInMs } }) => {
        if (error === null) return;
        record(ports, factOf('model.reset', agent, round, { attempt, error, retryInMs }));
        const at = ports.time.now();
        void ports.tell({ type: 'model.reset', agent, round, attempt, error, retryInMs, at });
        const detail = error.message;
        void ports.tell({
          type: 'agent.status',
          agent,
          phase: 'backing-off',
          round,
          at,
          detail,
          until: at + retryInMs,
        });
      },
      reportEnd: ({ context }) => {
        const end = context.end ?? { status: 'stopped', reason: 'stopped' };
        const rounds = context.round;
        void ports.tell({ type: 'agent.ended', agent, rounds, end, at: ports.time.now() });
      },
    },
    guards: {
      hasOpenCalls: () => conversation.openCalls.length > 0,
      isStopping: ({ context }) => context.end !== null,
      mayRetry: ({ context }, error: ModelError) =>
        isTransient(error.kind) &&
        isWorthWaiting(error.retryAfterMs) &&
        context.attempt <= agentSetup.retries,
    },
    delays: { retry: ({ context }) => context.retryInMs },
  });

  return machine.createMachine({
    id: agent,
    context: {
      round: agentSetup.round,
      ...NOTHING_FAILED,
      attempt: 0,
      retryInMs: 0,
      end: null,
    },
    initial: 'starting',
    on: {
      'agent.say': { actions: { type: 'hear', params: ({ event }) => event } },
      'agent.abortRequest': { actions: 'abort' },
      'agent.set': {
        actions: [{ type: 'set', params: ({ event }) => event }, assign({ instead: null })],
      },
      // The step under way ends as a value first; its end leads to `ended`.
      'agent.stop': { actions: ['abort', stop] },
    },
    states: {
      starting: { always: [{ guard: 'hasOpenCalls', target: 'resuming' }, { target: 'gated' }] },
      /** Calls of an earlier run of the process: what was held then does not begin now. */
      resuming: {
        entry: 'reportGated',
        invoke: { src: 'passGate', onDone: 'acting' },
        on: { 'agent.stop': { actions: stop, target: 'ended' } },
      },
      gated: {
        entry: 'reportGated',
        always: { guard: 'isStopping', target: 'ended' },
        invoke: { src: 'passGate', onDone: 'preparing' },
        on: { 'agent.stop': { actions: stop, target: 'ended' } },
      },
      preparing: {
        entry: { type: 'report', params: 'preparing' },
        invoke: {
          src: 'prepare',
          input: ({ context }) => context,
          onDone: [
            { guard: 'isStopping', target: 'ended' },
            {
              guard: ({ event }) => event.output.kind === 'ready',
              target: 'asking',
              actions: 'nextRound',
            },
            { guard: ({ event }) => event.output.kind === 'again', target: 'gated' },
            { guard: ({ event }) => event.output.kind === 'awaiting', target: 'awaiting' },
            {
              actions: { type: 'endWith', params: ({ event }) => endOf(event.output) },
              target: 'ended',
            },
          ],
        },
      },
      /** It has nothing more to do, but its sub-agents have: their results may change that. */
      awaiting: {
        entry: 'reportAwaiting',
        invoke: { src: 'awaitChildren', onDone: 'gated' },
        on: {
          'agent.say': {
            actions: { type: 'hear', params: ({ event }) => event },
            target: 'gated',
          },
          'agent.stop': { actions: stop, target: 'ended' },
        },
      },
      asking: {
        entry: { type: 'report', params: 'asking' },
        invoke: {
          src: 'ask',
          input: ({ context }) => context,
          onDone: [
            { guard: 'isStopping', target: 'recording' },
            { guard: ({ event }) => event.output.kind === 'calls', target: 'acting' },
            { guard: ({ event }) => event.output.kind === 'turn-over', target: 'recording' },
            {
              guard: ({ event }) => event.output.kind === 'withdrawn',
              actions: 'takeBackRound',
              target: 'gated',
            },
            {
              guard: {
                type: 'mayRetry',
                params: ({ event }) => failureOf(event.output),
              },
              actions: { type: 'scheduleRetry', params: ({ event }) => failureOf(event.output) },
              target: 'backing-off',
            },
            {
              actions: { type: 'noteFailure', params: ({ event }) => failureOf(event.output) },
              target: 'weighing',
            },
          ],
        },
      },
      /** No retry helps, or none is left. */
      weighing: {
        invoke: {
          src: 'weigh',
          input: ({ context }) => context,
          onDone: [
            {
              guard: ({ event }) => event.output.do === 'again',
              actions: ['reportRetry', { type: 'askAgain', params: ({ event }) => event.output }],
              target: 'retrying',
            },
            {
              guard: ({ event }) => event.output.do === 'hold',
              actions: ['reportRetry', { type: 'holdRound', params: ({ event }) => event.output }],
              target: 'holding',
            },
            {
              actions: { type: 'endWith', params: ({ context }) => lastError(context) },
              target: 'ended',
            },
          ],
        },
        on: { 'agent.stop': { actions: stop, target: 'ended' } },
      },
      /** Until the hold is in force: the gate is closed then, and opens when it is lifted. */
      holding: {
        invoke: { src: 'hold', input: ({ context }) => context, onDone: 'retrying' },
        on: { 'agent.stop': { actions: stop, target: 'ended' } },
      },
      'backing-off': {
        entry: 'reportRetry',
        after: { retry: 'retrying' },
        on: {
          'agent.stop': { actions: stop, target: 'ended' },
          'agent.abortRequest': 'retrying',
        },
      },
      /** Like `gated`, for a request that has its place in a round already. */
      retrying: {
        entry: 'reportGated',
        invoke: {
          src: 'passGate',
          onDone: {
            actions: 'nextAttempt',
            target: 'asking',
          },
        },
        on: { 'agent.stop': { actions: stop, target: 'ended' } },
      },
      acting: {
        entry: { type: 'report', params: 'acting' },
        invoke: { src: 'act', input: ({ context }) => context, onDone: 'recording' },
      },
      recording: {
        entry: { type: 'report', params: 'recording' },
        always: [{ guard: 'isStopping', target: 'ended' }, { target: 'gated' }],
      },
      ended: { type: 'final', entry: 'reportEnd' },
    },
  });
}
