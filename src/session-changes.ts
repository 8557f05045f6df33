/** What one session keeps of its workspace so that it can be put back, tied to its journal and its judge. */
import type { ChangeKeeper } from '../actors/ports.js';
import type { Config } from '../config/settings.js';
import type { Ground } from './ground.js';
import { createJudge } from './permissions/judge.js';
import { SHELL_TOOL } from './permissions/rules.js';
import type { ProcessFact } from './tools/background-program.js';
import { historyOf } from './undo/history.js';
import { SessionKeeper, type KeeperParts } from './undo/keeper.js';
import { forgetLedger } from './undo/ledger.js';
import { cutOff, undoDir } from './undo-ground.js';

export interface SessionChanges extends ChangeKeeper {
  /** Files that are not as they were when this run of the process began. */
  readonly changed: readonly string[];
  processTold(fact: ProcessFact): void;
  /** Puts on record what a crash has cut off; to be asked once, before the journal is repaired. */
  recover(): Promise<void>;
  /** When everything that could change files has ended. */
  close(): Promise<void>;
}

export interface ChangesParts {
  readonly ground: Ground;
  readonly home: string;
  readonly limits: Config['undo'];
  readonly waitForRoom: NonNullable<KeeperParts['waitForRoom']>;
}

/** To be made before the session's journal is repaired: what it cut off is known only until then. */
export function sessionChanges({
  ground,
  home,
  limits,
  waitForRoom,
}: ChangesParts): SessionChanges {
  const { journal, spec } = ground;
  const { workspace } = spec;
  const dir = undoDir(ground.dir);
  const isReadOnly = readOnlyProof(workspace, home);
  const keeper = new SessionKeeper({
    journal,
    workspace,
    dir,
    ouroHome: home,
    isReadOnly,
    waitForRoom,
    ...limits,
  });
  const interrupted = cutOff(ground.recovered);
  return {
    before: (call) => keeper.before(call),
    get changed() {
      return keeper.changed;
    },
    processTold(fact) {
      if (fact.type === 'started') keeper.processStarted(fact.id, fact);
      else void keeper.processEnded(fact.id);
    },
    async recover() {
      if (interrupted === null) forgetLedger(dir);
      else await keeper.recover(interrupted, historyOf(journal.rows()).left);
    },
    close: () => keeper.close(),
  };
}

/** What the judge would let run where nothing may be changed. */
function readOnlyProof(workspace: string, ouroHome: string) {
  const created = createJudge({ mode: 'plan', workspace, ouroHome, allow: [], ask: [], deny: [] });
  return (command: string, cwd: string): boolean =>
    created.ok &&
    created.judge.judge({ tool: SHELL_TOOL, effect: 'execute', subject: command, cwd }).allowed;
}
