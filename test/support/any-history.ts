/**
 * Rows of every kind that the fold over a journal knows, in any order: more than a session could ever write,
 * so that nothing depends on the order in which it does.
 */
import fc from 'fast-check';
import { userMessage } from '../../actors/conversation.js';
import type { AssistantMessage, Message } from '../../messages/conversation.js';
import type { AgentId } from '../../messages/ids.js';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import {
  callId,
  callOf,
  holdOf,
  MAIN,
  okOutcome,
  specOf,
  SUB,
  usageOf,
} from './session-samples.js';

const OTHER = 'sub-2' as AgentId;

/** A call has one name, wherever it is spoken of. */
const CALLS = [
  callOf('c1', 'read_file', { path: 'a' }),
  callOf('c2', 'write_file', { path: 'b' }),
  callOf('c3', 'shell', { command: 'make' }),
  callOf('c4', 'sleep'),
  callOf('c5', 'submit', { summary: 'all of it', outcome: 'done' }),
  callOf('c6', 'ask_user'),
];

const agent = fc.constantFrom(MAIN, SUB, OTHER);
const subAgent = fc.constantFrom(SUB, OTHER);
const round = fc.integer({ min: 0, max: 5 });
const call = fc.constantFrom(...CALLS);
const question = fc.constantFrom('q1', 'q2', 'q3');
const words = fc.string({ maxLength: 8 });

const answer: fc.Arbitrary<AssistantMessage> = fc
  .tuple(words, fc.uniqueArray(call, { maxLength: 3 }))
  .map(([text, calls]) => ({ role: 'assistant', text, calls }));
const message: fc.Arbitrary<Message> = fc.oneof(
  { weight: 4, arbitrary: answer },
  { weight: 1, arbitrary: words.map((text) => userMessage(text, 'steer')) },
);
const messages: fc.Arbitrary<readonly Message[]> = fc.array(
  fc.oneof(
    message,
    call.map(({ id, name }): Message => ({ role: 'tool', callId: id, name, text: 'kept' })),
  ),
  { maxLength: 4 },
);
const record = words.map((line) => ({
  ...{ changed: [line], read: [], commands: [] },
  ...{ errors: [], answers: [line] },
}));

const outcome = fc.oneof(
  words.map((text) => okOutcome(text)),
  words.map((text) => ({ status: 'denied', rule: 'none', text }) as const),
  words.map((text) => ({ status: 'unknown', text }) as const),
);

const about = <K extends JournalFact['kind']>(
  kind: K,
  body: fc.Arbitrary<Extract<JournalFact, { kind: K }>['body']>,
  of = agent,
): fc.Arbitrary<JournalFact> =>
  fc.tuple(of, round, body).map(([who, n, said]) => factOf(kind, who, n, said as never));

const ofConversation = fc.oneof(
  {
    weight: 6,
    arbitrary: about(
      'message.added',
      message.map((said) => ({ message: said })),
    ),
  },
  {
    weight: 6,
    arbitrary: about(
      'tool.outcome',
      fc.tuple(call, outcome).map(([{ id, name }, is]) => ({ callId: id, name, outcome: is })),
    ),
  },
  {
    weight: 3,
    arbitrary: about(
      'context.masked',
      fc.array(fc.tuple(call, words), { maxLength: 3 }).map((masked) => ({
        masks: masked.map(([{ id }, text]) => ({ callId: id, text })),
      })),
    ),
  },
  {
    weight: 2,
    arbitrary: about(
      'context.summarised',
      fc.record({ first: fc.nat(3), count: fc.nat(4), messages, record }),
    ),
  },
  { weight: 1, arbitrary: about('context.restarted', fc.record({ messages, record })) },
  { weight: 1, arbitrary: about('context.undone', fc.record({ of: fc.nat(9), messages, record })) },
);

const ofWork = fc.oneof(
  about('model.intent', fc.constant({ model: 'm', messages: 2, attempt: 1 })),
  about(
    'model.outcome',
    fc.constantFrom(
      { status: 'ok', usage: usageOf(9, 1), model: 'm', ms: 1, finish: 'stop' },
      { status: 'lost' },
    ),
  ),
  about(
    'tool.intent',
    fc
      .tuple(call, fc.constantFrom('read' as const, 'execute' as const))
      .map(([{ id, name }, effect]) => ({ callId: id, name, effect })),
  ),
  about(
    'tool.started',
    call.map(({ id }) => ({ callId: id, pid: 7, startTime: '1' })),
  ),
  about(
    'budget.reserved',
    question.map((id) => ({ id, model: 'm', usd: 0.1, tokens: 5 })),
  ),
  about(
    'budget.settled',
    question.map((id) => ({ id, model: 'm', usd: 0.1, tokens: 5, basis: 'lost' }) as const),
  ),
  about(
    'process.started',
    question.map((id) => ({
      ...{ id, callId: callId('c3'), pid: 8, startTime: '2', command: 'serve' },
      ...(id === 'q1' ? { keep: 'restart' as const } : {}),
    })),
  ),
  about(
    'process.ended',
    question.map((id) => ({ id, callId: callId('c3'), exitCode: 0 })),
  ),
  about('discovery.added', fc.record({ title: words, description: words })),
  about(
    'todo.set',
    words.map((task) => ({ todos: [{ task, done: false }] })),
  ),
  about(
    'agent.spawned',
    fc
      .record({
        callId: call.map(({ id }) => id),
        task: fc.record({
          kind: fc.constant('worker' as const),
          task: words,
          context: words,
          background: fc.boolean(),
        }),
        parentage: fc.constantFrom(
          { agent: SUB, parent: MAIN },
          { agent: OTHER, parent: MAIN },
          { agent: OTHER, parent: SUB },
        ),
      })
      .map(({ parentage, ...rest }) => ({ ...parentage, ...rest })),
  ),
  subAgent.map((who) =>
    factOf('agent.ended', who, 2, {
      agent: who,
      rounds: 2,
      end: { status: 'done', text: 'seen', denied: [] },
    }),
  ),
);

const spec = specOf();
const ofSession = fc.oneof(
  fc.constantFrom(
    sessionFact('session.started', { spec, version: '1', pid: 1 }),
    sessionFact('session.resumed', { spec: { ...spec, model: 'other' }, version: '1', pid: 2 }),
    sessionFact('session.ended', { status: 'internal_error', text: '', reason: 'a bug' }),
    sessionFact('goal.set', { goal: 'another' }),
    sessionFact('hold.set', { hold: holdOf({ call: callId('c4'), kind: 'timer', since: 5 }) }),
    sessionFact('hold.set', { hold: holdOf({ kind: 'stuck', scope: MAIN }) }),
    sessionFact('hold.lifted', { kind: 'timer', scope: 'session' }),
  ),
  fc.tuple(question, call, agent).map(([id, { id: asking }, who]) =>
    sessionFact('question.opened', {
      question: {
        ...{ id, agent: who, callId: asking, since: 1, until: null },
        body: { kind: 'choice', prompt: 'which?', choices: ['a', 'b'], editable: false },
      },
    }),
  ),
  question.map((id) =>
    sessionFact('question.answered', { id, answer: { status: 'free_text', text: 'b' } }),
  ),
  fc
    .oneof(
      question.map((id) => ({ do: 'answer', question: id, text: '1' }) as const),
      words.map((text) => ({ do: 'send', text, mode: 'steer' }) as const),
      fc.constantFrom(
        { do: 'pause', now: false, until: null } as const,
        { do: 'resume' } as const,
        { do: 'resume', add: { usd: 1 } } as const,
        { do: 'interrupt' } as const,
      ),
    )
    .map((action) => sessionFact('user.action', { action })),
);

/** `message.added` may answer words of an earlier row, or report on a sub-agent. */
const reading = fc
  .record({ source: fc.nat(30), report: subAgent })
  .map(({ source, report }) =>
    factOf('message.added', MAIN, 1, { message: userMessage('read', 'steer'), source, report }),
  );

/** As it should be, so that there is something that a later row can be about. */
const wholeRound = fc
  .tuple(agent, fc.uniqueArray(call, { minLength: 1, maxLength: 3 }))
  .map(([who, calls]) => [
    factOf('message.added', who, 2, { message: { role: 'assistant', text: '', calls } }),
    ...calls.map(({ id, name }, i) => {
      const is =
        i === 2 ? ({ status: 'denied', rule: 'none', text: 'no' } as const) : okOutcome(name);
      return factOf('tool.outcome', who, 2, { callId: id, name, outcome: is });
    }),
  ]);

const single = fc.oneof(
  { weight: 4, arbitrary: ofConversation },
  { weight: 3, arbitrary: ofWork },
  { weight: 2, arbitrary: ofSession },
  { weight: 1, arbitrary: reading },
);

export const anyHistory: fc.Arbitrary<readonly JournalFact[]> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: single.map((fact) => [fact]) },
      { weight: 1, arbitrary: wholeRound },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.flat());
