/**
 * The form of a recording: one JSON object a line. The first says what was recorded, each further one is the
 * end of one request. Fields may be added; a form that an older program would misread gets another version.
 */
import type { ModelErrorKind, Usage } from '../../messages/model.js';

export const RECORDING_VERSION = 1;

export interface RecordingHead {
  readonly type: 'recording';
  readonly v: typeof RECORDING_VERSION;
  readonly goal: string;
  readonly model: string;
  readonly base_url: string;
  /** ISO 8601. */
  readonly at: string;
}

interface RecordedRequest {
  readonly agent: string;
  readonly round: number | null;
  /** Asked without tools, beside the agent's rounds. */
  readonly side: boolean;
  /** From the request to its end, for readers: a recording is played without waiting. */
  readonly ms: number;
}

export interface RecordedAnswer extends RecordedRequest {
  readonly type: 'answer';
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    /** As the model wrote them: they need not be JSON. */
    readonly arguments: string;
  }[];
  readonly usage: Usage | null;
  readonly finish: string;
  /** The model that really answered. */
  readonly model: string;
}

export interface RecordedFailure extends RecordedRequest {
  readonly type: 'failure';
  readonly kind: ModelErrorKind;
  readonly status: number | null;
  readonly message: string;
}

export type RecordingLine = RecordingHead | RecordedAnswer | RecordedFailure;
