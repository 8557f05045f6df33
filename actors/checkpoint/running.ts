/**
 * The fold that checkpoints of a running session are made from. It is brought up to date from the rows on
 * disk whenever one is due, so that a checkpoint says what a resume at that point would have found, and an
 * append costs nothing more. It knows which messages there are and not what they say: no text is held twice.
 */
import type { Message } from '../../messages/conversation.js';
import { MAIN_AGENT, type Seq } from '../../messages/ids.js';
import { factOf, type JournalFact, type JournalRow } from '../../messages/journal.js';
import { Conversation } from '../conversation.js';
import type { JournalLookup } from '../ports.js';
import type { RecoveredAgent } from '../recovered-sub-agents.js';
import { Recovered } from '../recovery.js';
import { differences, NO_OUTLINE, outlineOf, type Outline } from './differences.js';
import { newestCheckpoint } from './recover.js';
import { FORM, writtenState } from './written-state.js';

/** The checkpoint that the next one goes on from. */
interface Base {
  readonly seq: Seq | null;
  readonly outline: Outline;
}

/** One that was handed out and not yet seen on disk. */
interface Pending {
  readonly after: Seq;
  readonly outline: Outline;
}

export class RunningCheckpoint {
  readonly #journal: JournalLookup;
  #fold: Recovered | null = null;
  #after: Seq = 0;
  #base: Base = { seq: null, outline: NO_OUTLINE };
  #pending: Pending | null = null;

  constructor(journal: JournalLookup) {
    this.#journal = journal;
  }

  /**
   * The checkpoint to be written now, of all rows that are on disk. Null: the newest one says it all, or is
   * still on its way to the disk. Throws where a row is damaged.
   */
  next(): JournalFact | null {
    const fold = this.#upToDate();
    const isSaid = this.#after === (this.#base.seq ?? 0);
    if (this.#pending !== null || isSaid) return null;
    const state = writtenState(fold);
    const outline = outlineOf(state);
    const after = this.#after;
    this.#pending = { after, outline };
    this.#fold = hollow(fold);
    const before = this.#base.seq;
    const said = differences(state, this.#base.outline);
    const { round = 0 } = fold.agents.get(MAIN_AGENT) ?? {};
    return factOf('checkpoint', MAIN_AGENT, round, { form: FORM, after, before, ...said });
  }

  #upToDate(): Recovered {
    const fold = (this.#fold ??= this.#begin());
    for (const row of this.#journal.rows(this.#after + 1)) {
      fold.apply(row);
      this.#after = row.seq;
      this.#meet(row);
    }
    return fold;
  }

  /** In a resumed session, from where the process before it was. */
  #begin(): Recovered {
    const found = newestCheckpoint(this.#journal);
    if (found === null) return new Recovered();
    const { seq, after, state, recovered } = found;
    this.#after = after;
    this.#base = { seq, outline: outlineOf(state) };
    return recovered;
  }

  #meet({ kind, seq, body }: JournalRow): void {
    if (kind !== 'checkpoint' || this.#pending?.after !== body.after) return;
    this.#base = { seq, outline: this.#pending.outline };
    this.#pending = null;
  }
}

/** As the fold goes on from it, it is the same. */
const hollow = (fold: Recovered): Recovered => {
  const { agents, ...parts } = fold.parts;
  return new Recovered({ ...parts, agents: agents.map(hollowAgent) });
};

function hollowAgent(agent: RecoveredAgent): RecoveredAgent {
  if (agent.end !== null) return { ...agent, conversation: new Conversation() };
  const { messages, ...parts } = agent.conversation.parts;
  return {
    ...agent,
    conversation: new Conversation({ ...parts, messages: messages.map(hollowMessage) }),
  };
}

const EMPTY: Message = { role: 'system', text: '' };

/** What a mask asks of a message is kept. */
const hollowMessage = (message: Message): Message =>
  message.role === 'tool' ? { ...message, text: '' } : EMPTY;
