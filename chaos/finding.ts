/** What is watched while sessions are killed, and what a promise that was not kept is reported as. */

export const CHECKS = {
  'rounds-lost': 'a row, a result or a round that somebody was told of is not in the journal',
  'effects-doubled': 'a side effect happened twice, or a call was started or settled twice',
  'effects-untrue':
    'the journal says done and nothing happened, or something happened that it knows nothing of',
  'requests-invalid': 'the server saw a request that a strict one refuses',
  'processes-left': 'a process of a session lived on after its end',
  'processes-lost': 'a process that is kept over a restart ended with its session’s process',
  'actions-lost':
    'what a person said or asked for was acknowledged and not heeded, or heeded twice',
  'not-finished': 'a session could not be brought back, or did not end its work',
} as const;

export type Check = keyof typeof CHECKS;

export interface Finding {
  readonly check: Check;
  readonly what: string;
}

export const finding = (check: Check, what: string): Finding => ({ check, what });
