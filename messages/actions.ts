/** What a person can do to a running session, from a key, a verb or a script. */
import type { Raise } from './budget.js';
import type { Millis, Seq } from './ids.js';
import type { ApprovalScope } from './questions.js';
import type { SettingsChange } from './settings-change.js';

export type ActionRequest =
  /** `now` aborts the running model request; `until` lifts the hold by itself. */
  | { readonly do: 'pause'; readonly now: boolean; readonly until: Millis | null }
  /**
   * `add`: also raises limits, and lifts the hold that reaching one had set. `force`: also lifts what holds
   * it for being stuck, or for how it ended.
   */
  | { readonly do: 'resume'; readonly add?: Raise; readonly force?: boolean }
  | { readonly do: 'send'; readonly text: string; readonly mode: 'steer' | 'queue' }
  | { readonly do: 'interrupt' }
  /** Holds from the next round on, and after a restart. */
  | { readonly do: 'set'; readonly change: SettingsChange }
  /** To a choice: its number, counted from 1, or text. `edits`: which choice the text is a changed form of. */
  | {
      readonly do: 'answer';
      readonly question: string;
      readonly text: string;
      readonly edits?: number;
    }
  | { readonly do: 'approve'; readonly question: string; readonly scope: ApprovalScope }
  | { readonly do: 'deny'; readonly question: string; readonly reason: string }
  /** `restart`: it goes on at once in another process; what outlives a restart is left for it. */
  | { readonly do: 'stop'; readonly restart?: true };

/** An action in the journal, on its way through the mesh. `id` comes back with the answer. */
export interface UserAction {
  readonly type: 'user.action';
  readonly id: string;
  readonly seq: Seq;
  readonly action: ActionRequest;
  readonly at: Millis;
}

/** What became of an action; `changed: false` means that it was so already. */
export type ActionResult =
  | { readonly ok: true; readonly changed: boolean; readonly message: string }
  /** Not possible; says why and which command to use instead. */
  | { readonly ok: false; readonly message: string };

export interface ActionFact {
  readonly type: 'action.done';
  readonly id: string;
  readonly result: ActionResult;
  readonly at: Millis;
}
