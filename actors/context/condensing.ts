/** Has a model condense messages, part after part, and judges what comes of it. */
import type { SegmentNote, WorkRecord } from '../../messages/context.js';
import type { Message } from '../../messages/conversation.js';
import type { AgentId } from '../../messages/ids.js';
import type { ModelUse } from '../../messages/model.js';
import { partsToCondense, type PartSize } from './parts.js';
import { faultOf } from './summary.js';

export interface Condensed {
  /** Null: it could not be made. */
  readonly text: string | null;
  /** What it cost; null: nothing is known of it. */
  readonly use: ModelUse | null;
}

export interface CompactionMoment {
  readonly agent: AgentId;
  readonly round: number;
  /** What the summary is to keep beside the usual; null: nothing. */
  readonly note: string | null;
  /** Aborted when the agent is to stop or to pause at once: whatever comes of it is not used. */
  readonly signal: AbortSignal;
}

export interface Condenser {
  /** Condenses one part; `before` is the summary so far. Must not reject. */
  condense(part: string, before: string, about: CompactionMoment): Promise<Condensed>;
}

export interface Task extends PartSize {
  /** Of the messages, which the summary has to agree with. */
  readonly record: WorkRecord;
  readonly about: CompactionMoment;
}

export type Summary = { readonly record: WorkRecord; readonly used: readonly ModelUse[] } & (
  | { readonly ok: true; readonly summary: string; readonly segments: readonly SegmentNote[] }
  | { readonly ok: false; readonly fault: string }
);

export async function condenseAll(
  condenser: Condenser,
  messages: readonly Message[],
  { record, about, ...size }: Task,
): Promise<Summary> {
  const used: ModelUse[] = [];
  let summary = '';
  let sourceChars = 0;
  const { texts, segments } = partsToCondense(messages, size);
  for (const part of texts) {
    sourceChars += part.length;
    const { text, use } = await condenser.condense(part, summary, about);
    if (use !== null) used.push(use);
    if (text === null) return { ok: false, fault: 'the model gave none', record, used };
    summary = text;
  }
  const fault = faultOf(summary, record, sourceChars);
  return fault === null
    ? { ok: true, summary, segments, record, used }
    : { ok: false, fault, record, used };
}
