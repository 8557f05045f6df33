/** A session that says what a test tells it to, and remembers what it was asked. */
import type { ActionRequest, ActionResult } from '../../messages/actions.js';
import type { AgentDelta } from '../../messages/agents.js';
import { Mailbox } from '../../messages/channels/mailbox.js';
import { Oneshot } from '../../messages/channels/oneshot.js';
import type { Snapshot } from '../../messages/snapshot.js';
import type { DashboardLink } from '../../tui/dashboard.js';
import type { LinkEnd } from '../../tui/view/view-model.js';

type Delta = AgentDelta | { readonly type: 'lagged'; readonly dropped: number };

export class FakeLink implements DashboardLink {
  readonly snapshots = new Mailbox<Snapshot>({ capacity: 10_000, controlCapacity: 1 });
  readonly deltas = new Mailbox<Delta>({ capacity: 10_000, controlCapacity: 1 });
  readonly asked: ActionRequest[] = [];
  closed = false;
  answer: (action: ActionRequest) => Promise<ActionResult> = (action) =>
    Promise.resolve({ ok: true, changed: true, message: `${action.do}: done` });
  readonly #end = new Oneshot<LinkEnd>();

  readonly ended = this.#end.answer;

  show(snapshot: Snapshot): void {
    this.snapshots.offer(snapshot);
  }

  stream(delta: Delta): void {
    this.deltas.offer(delta);
  }

  end(end: LinkEnd): void {
    this.#end.settle(end);
  }

  act(action: ActionRequest): Promise<ActionResult> {
    this.asked.push(action);
    return this.answer(action);
  }

  close(): void {
    this.closed = true;
    this.snapshots.close();
    this.deltas.close();
  }
}
