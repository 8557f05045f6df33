/** What a check says: each line of `ouro doctor` is one. Plain data; its texts may quote foreign ones. */

export type Level = 'ok' | 'warn' | 'problem';

export interface Finding {
  /** What was looked at, in a word. */
  readonly check: string;
  readonly level: Level;
  readonly what: string;
  /** What to do about it, in a line or several; left out: nothing. */
  readonly todo?: string;
}

/** Must not reject: whatever it meets is a finding. */
export type Check = () => Promise<readonly Finding[]> | readonly Finding[];

export const ok = (check: string, what: string): Finding => ({ check, level: 'ok', what });

export const warn = (check: string, what: string, todo: string): Finding => ({
  check,
  level: 'warn',
  what,
  todo,
});

export const problem = (check: string, what: string, todo: string): Finding => ({
  check,
  level: 'problem',
  what,
  todo,
});

/** All of them, in the order of the checks, which run one after the other so that none disturbs another. */
export async function runChecks(checks: readonly Check[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await check()));
  return findings;
}

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
