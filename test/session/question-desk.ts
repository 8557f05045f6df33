/** The other side of a question: hears what the mesh is told, and is asked on behalf of one call. */
import type { CallContext } from '../../actors/ports.js';
import { ReplyRegistry } from '../../messages/channels/oneshot.js';
import type { CoordinatorMessage } from '../../messages/coordinator.js';
import type { CallId } from '../../messages/ids.js';
import type { Answer } from '../../messages/questions.js';
import type { OnQuestion } from '../../messages/session.js';
import { askPerson, type AskPerson, type AskPorts } from '../../src/session/ask-person.js';
import { callId, MAIN, START } from '../support/session-samples.js';

interface Desk {
  readonly ask: AskPerson;
  readonly context: CallContext;
  readonly told: CoordinatorMessage[];
  readonly failures: () => number;
  /** False: nobody waits for it. */
  readonly answer: (answer: Answer) => boolean;
  readonly abort: () => void;
}

/** `heard` false: the mesh takes no more messages. */
export function openDesk(
  onQuestion: OnQuestion,
  earlier: NonNullable<AskPorts['earlier']> = () => null,
  heard = true,
): Desk {
  const answers = new ReplyRegistry<CallId, Answer>();
  const told: CoordinatorMessage[] = [];
  const controller = new AbortController();
  const asking = callId('main_1_1');
  let failures = 0;
  const ask = askPerson({
    onQuestion,
    time: { now: () => START },
    answers,
    earlier,
    tell: (message) => {
      told.push(message);
      return Promise.resolve(heard);
    },
    fail: () => void (failures += 1),
  });
  const context: CallContext = {
    agent: MAIN,
    round: 1,
    callId: asking,
    signal: controller.signal,
    parked: (wait) => wait(),
  };
  return {
    ask,
    context,
    told,
    failures: () => failures,
    answer: (answer) => answers.settle(asking, answer),
    abort: () => controller.abort(),
  };
}
