/**
 * A session rebuilt from the newest checkpoint that can be used and the rows behind it; from all rows where
 * there is none. One cannot be used that is damaged, of another form, or that names rows which are not there
 * or not as they were written.
 */
import type { CheckpointBody } from '../../messages/checkpoint.js';
import type { Seq } from '../../messages/ids.js';
import type { JournalLookup } from '../ports.js';
import { Recovered } from '../recovery.js';
import { merged } from './differences.js';
import { rebuilt } from './rebuild.js';
import { FORM, type WrittenState } from './written-state.js';

export interface FoundCheckpoint {
  readonly seq: Seq;
  readonly after: Seq;
  readonly state: WrittenState;
  /** The fold up to `after`. */
  readonly recovered: Recovered;
}

/** Throws where a row behind the checkpoint is damaged. */
export function recoverFrom(journal: JournalLookup): Recovered {
  const found = newestCheckpoint(journal);
  const recovered = found?.recovered ?? new Recovered();
  for (const row of journal.rows((found?.after ?? 0) + 1)) recovered.apply(row);
  return recovered;
}

/** Null: there is none that can be used. */
export function newestCheckpoint(journal: JournalLookup): FoundCheckpoint | null {
  const bodies = new Map<Seq, CheckpointBody | null>();
  const bodyAt = (seq: Seq): CheckpointBody | null => {
    const known = bodies.get(seq);
    if (known !== undefined) return known;
    const body = usableBody(journal, seq);
    bodies.set(seq, body);
    return body;
  };
  let seq = journal.newest('checkpoint', Infinity);
  while (seq !== null) {
    const found = checkpointAt(journal, seq, bodyAt);
    if (found !== null) return found;
    seq = journal.newest('checkpoint', seq);
  }
  return null;
}

function checkpointAt(
  journal: JournalLookup,
  seq: Seq,
  bodyAt: (seq: Seq) => CheckpointBody | null,
): FoundCheckpoint | null {
  const chain: CheckpointBody[] = [];
  for (let at: Seq | null = seq; at !== null;) {
    const body = bodyAt(at);
    if (body === null) return null;
    chain.push(body);
    at = body.before;
  }
  const { after = 0 } = chain[0] ?? {};
  const state = merged(chain.toReversed());
  const recovered = rebuilt(state, (row) => journal.at(row));
  return recovered === null ? null : { seq, after, state, recovered };
}

/** A journal in which one leads to itself or to a later one was not written by this program. */
function usableBody(journal: JournalLookup, seq: Seq): CheckpointBody | null {
  const row = journal.at(seq);
  if (row?.kind !== 'checkpoint' || row.body.form !== FORM) return null;
  const { after, before } = row.body;
  return after < seq && (before === null || before < seq) ? row.body : null;
}
