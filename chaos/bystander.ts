/** A client of the session's control socket that says things, and writes down what it is told. */
import type { SessionId } from '../messages/ids.js';
import type { Snapshot } from '../messages/snapshot.js';
import { standingSession } from '../src/cli/liveness.js';
import { connect, type ControlClient } from '../src/control/client.js';
import type { ControlArgs } from '../messages/control.js';
import { tokenPath } from '../src/store/socket-path.js';

/** An action takes milliseconds; one of a process that was killed meanwhile is never answered. */
const ANSWER_MS = 5_000;

export class Bystander {
  readonly #client: ControlClient;

  private constructor(client: ControlClient, finished: Map<string, string>) {
    this.#client = client;
    void this.#listen(finished);
  }

  /** `finished` is added to: the outcomes that are told from here on. Null: nobody answers there. */
  static async join(
    home: string,
    id: SessionId,
    finished: Map<string, string>,
  ): Promise<Bystander | null> {
    const socketPath = standingSession({ home, now: () => Date.now() }, id)?.socket ?? null;
    if (socketPath === null) return null;
    const found = await connect({ socketPath, tokenPath: tokenPath(socketPath) });
    return found.ok ? new Bystander(found.client, finished) : null;
  }

  get pid(): number {
    return this.#client.hello.pid;
  }

  /** True: it was acknowledged. */
  async ask(args: ControlArgs): Promise<boolean> {
    return (await this.#client.request(args, ANSWER_MS)).ok;
  }

  /** Null: it does not answer. */
  async snapshot(): Promise<Snapshot | null> {
    const reply = await this.#client.request({ do: 'status' }, ANSWER_MS);
    return reply.ok && reply.data !== null && 'holds' in reply.data ? reply.data : null;
  }

  leave(): void {
    this.#client.close();
  }

  async #listen(finished: Map<string, string>): Promise<void> {
    for await (const fact of this.#client.events(['fact', 'bye']).facts) {
      if (fact.type === 'tool.finished') finished.set(fact.callId, fact.outcome.status);
    }
  }
}
