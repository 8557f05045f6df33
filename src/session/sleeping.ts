/**
 * Puts a call to sleep through the mesh, and brings it the reason why it wakes. A call that slept when the
 * process ended goes on to its old deadline, or wakes at once when that has passed or a person had woken it.
 */
import type { CallContext, Time } from '../../actors/ports.js';
import type { EarlierWait } from '../../actors/recovered-waits.js';
import type { ReplyRegistry } from '../../messages/channels/oneshot.js';
import type { CoordinatorMessage } from '../../messages/coordinator.js';
import type { CallId } from '../../messages/ids.js';
import type { WaitRequest, WakeReason } from '../../messages/sleeps.js';

export interface SleepPorts {
  /** A person is asked in this session, and so may be waited for. */
  readonly somebodyThere: boolean;
  /** A person started this run of a session that was not running. */
  readonly resumedByPerson: boolean;
  readonly time: Time;
  readonly wakes: ReplyRegistry<CallId, WakeReason>;
  /** What an earlier run of the process knew of the call; null: it is new. */
  readonly earlier: (callId: CallId) => EarlierWait | null;
  readonly tell: (message: CoordinatorMessage) => Promise<boolean>;
}

export type Sleeping = (request: WaitRequest, context: CallContext) => Promise<WakeReason>;

export const sleeping =
  (ports: SleepPorts): Sleeping =>
  async (wait, { agent, callId, signal }) => {
    const { time, wakes, tell } = ports;
    const reason = wokenBefore(ports, wait, callId);
    if (reason !== null) return reason;
    if (wait.mode === 'manual' && !ports.somebodyThere) return 'nobody_there';
    if (signal.aborted) return 'cancelled';
    const woken = wakes.ask(callId);
    const overWithMesh = (heard: boolean): void => {
      if (!heard) wakes.settle(callId, 'shutdown');
    };
    const begun = tell({ type: 'sleep.begin', agent, callId, wait, at: time.now() });
    // The coordinator still answers: it alone knows whether the session is ending.
    const withdraw = (): void => {
      const told = begun.then(() => tell({ type: 'sleep.withdraw', callId, at: time.now() }));
      void told.then(overWithMesh);
    };
    signal.addEventListener('abort', withdraw, { once: true });
    overWithMesh(await begun);
    try {
      return await woken;
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  };

function wokenBefore(
  { earlier, resumedByPerson }: SleepPorts,
  { mode }: WaitRequest,
  callId: CallId,
): WakeReason | null {
  const before = earlier(callId);
  if (before === null) return null;
  if (before.spokenTo) return 'message_received';
  if (before.resumed && mode !== 'event') return 'user_resumed';
  return mode === 'manual' && resumedByPerson ? 'user_resumed' : null;
}
