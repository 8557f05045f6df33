/** Kinds of tasks that an agent can be told how to go about. */
export const TASK_TYPES = ['bug_fix', 'feature', 'maintenance', 'query', 'fallback'] as const;

/** `fallback`: none of the others fits. */
export type TaskType = (typeof TASK_TYPES)[number];

/** `confidence`: from 0 to 1. */
export interface TaskClass {
  readonly type: TaskType;
  readonly confidence: number;
}
