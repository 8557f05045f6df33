/** The bulk of a conversation that grows: each message is added once, so that a round costs what it added. */
import type { Conversation } from '../conversation.js';
import { addBulk, bulkOf, type Bulk } from './estimator.js';

export class RunningBulk {
  #revision = -1;
  #messages = 0;
  #bulk: Bulk = addBulk([]);

  of({ messages, revision }: Conversation): Bulk {
    if (revision !== this.#revision) {
      this.#bulk = addBulk([]);
      this.#messages = 0;
      this.#revision = revision;
    }
    if (messages.length > this.#messages) {
      const added = messages.slice(this.#messages).map(bulkOf);
      this.#bulk = addBulk([this.#bulk, ...added]);
      this.#messages = messages.length;
    }
    return this.#bulk;
  }
}
