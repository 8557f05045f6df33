/**
 * Faults that can be put in on purpose, to see that the simulator finds them. Each is built into a port or
 * another part of the simulator, never into the product; here they have their names and meanings.
 */
export const FAULTS = {
  'lose-row': 'a crash takes the newest acknowledged row with it',
  'lose-words': 'what a person said is acknowledged, but its row is never written',
  'lose-repair': 'the first row of what a resume repairs is not written',
  'false-checkpoint':
    'a checkpoint says that another round has been reached than the rows before it say',
  'repeat-effect': 'the start of a call that changes something is missing when the journal is read',
  'early-effect': 'a call begins to change something while its intent is on its way to the disk',
  'drop-result': 'a request is sent without the newest result of a call',
  'drop-system': 'a request is sent without the system message',
  'ignore-hold': 'a hold is on record, but the gates open again behind its back',
  'double-outcome': 'the outcome of a call is written twice',
  'forget-limits': 'the supervisor and the agents know no limits',
  'ask-again': 'a question that was answered is asked once more',
  'never-stop': 'nobody hears that the session is to end',
  'outlive-session': 'calls go on after the session has ended',
  'lose-wake-up': 'the answer to a call never reaches the agent that waits for it',
  'throw-in-port': 'what must not throw does',
  'forget-budget': 'requests are asked without regard to any limit of dollars or tokens',
  'settle-twice': 'what a request has cost is written down twice',
  'forget-costs': 'answers seem to have cost nothing',
  'misjudge-window': "the model's window is taken for three times as large",
  'forget-words': 'a conversation that begins anew has lost what a person said',
  'clock-in-prompt': 'the system message says what time it is',
  'forget-change': 'what calls have changed in files is not put on record',
  'unseeded-chance': 'how long things take is not decided by the seed',
} as const;

export type Fault = keyof typeof FAULTS;

export const isFault = (name: string): name is Fault => Object.hasOwn(FAULTS, name);
