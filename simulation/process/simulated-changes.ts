/**
 * What a simulated session keeps of its files: the keeper and its ledger are the product's own, over real
 * files. The ledger works in the process itself instead of a thread, and takes its time on the timeline.
 */
import type { ChangeKeeper, Journal } from '../../actors/ports.js';
import type { Recovered } from '../../actors/recovery.js';
import type { JournalRow } from '../../messages/journal.js';
import { cutOff } from '../../src/undo-ground.js';
import { historyOf } from '../../src/undo/history.js';
import { SessionKeeper, type LedgerPort } from '../../src/undo/keeper.js';
import type { LedgerJob, LedgerReply } from '../../src/undo/ledger-job.js';
import { doJob } from '../../src/undo/ledger-work.js';
import { forgetLedger, Ledger, type LedgerSettings } from '../../src/undo/ledger.js';
import type { Chance } from '../chance.js';
import type { Workspace } from '../world/workspace.js';
import type { SimulatedProcess } from './simulated-process.js';

export interface SimulatedChanges extends ChangeKeeper {
  /** Puts on record what a crash has cut off. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

export interface SimulatedChangesParts {
  readonly process: SimulatedProcess;
  readonly chance: Chance;
  readonly workspace: Workspace;
  readonly journal: Journal;
  /** What the journal holds. */
  readonly rows: readonly JournalRow[];
  /** Before it is repaired. */
  readonly recovered: Recovered | null;
}

/** More than anything here needs. */
const LIMITS = { maxFileBytes: 1_000_000, maxSessionBytes: 100_000_000, maxFiles: 1_000 };

export function simulatedChanges(parts: SimulatedChangesParts): SimulatedChanges {
  const { process, chance, workspace, journal, rows, recovered } = parts;
  const { folder, home: ouroHome, undoDir: dir } = workspace;
  const settings: LedgerSettings = { workspace: folder, dir, ouroHome, ...LIMITS };
  const keeper = new SessionKeeper({
    ...settings,
    journal,
    isReadOnly: () => false,
    thread: new LedgerInProcess(process, chance, settings),
    wait: (ms, signal) => process.waitOrAbort(ms, signal),
  });
  const interrupted = cutOff(recovered);
  return {
    before: (call) => keeper.before(call),
    close: () => keeper.close(),
    async recover() {
      if (interrupted === null) forgetLedger(dir);
      else await keeper.recover(interrupted, historyOf(rows).left);
    },
  };
}

const LONGEST_JOB_MS = 20;

class LedgerInProcess implements LedgerPort {
  readonly #process: SimulatedProcess;
  readonly #chance: Chance;
  readonly #settings: LedgerSettings;
  #ledger: Ledger | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(process: SimulatedProcess, chance: Chance, settings: LedgerSettings) {
    this.#process = process;
    this.#chance = chance;
    this.#settings = settings;
  }

  get isIdle(): boolean {
    return this.#ledger === null;
  }

  ask(job: LedgerJob): Promise<LedgerReply> {
    const reply = this.#last.then(() => this.#do(job));
    this.#last = reply;
    return reply;
  }

  /** The process may die before it is done, and when it is. */
  async #do(job: LedgerJob): Promise<LedgerReply> {
    await this.#process.wait(this.#chance.skewed(0, LONGEST_JOB_MS));
    if (!this.#process.isAlive) return this.#process.never();
    const reply = doJob(() => (this.#ledger ??= new Ledger(this.#settings)), job);
    await this.#process.wait(this.#chance.skewed(0, LONGEST_JOB_MS));
    return reply;
  }

  end(): Promise<void> {
    return Promise.resolve();
  }
}
