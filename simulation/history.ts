/**
 * One seed, one history: a session is begun, dies where its fates say, is resumed each time, and ends. What
 * happens is shown to every invariant as it happens; what they object to is the verdict.
 */
import { undoOf } from '../actors/context/undo.js';
import { MAIN_AGENT } from '../messages/ids.js';
import type { JournalRow } from '../messages/journal.js';
import type { RunResult } from '../messages/result.js';
import { Chance } from './chance.js';
import type { Fault } from './faults.js';
import type { Happening, Moment } from './happenings.js';
import { INVARIANTS } from './invariants/all.js';
import { FileRows } from './journal/file-rows.js';
import { raiseOf } from './money.js';
import { MemoryRows } from './journal/memory-rows.js';
import type { RowStore } from './journal/row-store.js';
import { beginLife, type RunningLife } from './process/life.js';
import type { Resumed } from './process/life-parts.js';
import { scenarioOf, type Scenario } from './scenario.js';
import { Timeline } from './timeline.js';
import { SharedIndex } from './world/shared-index.js';
import { Workspace } from './world/workspace.js';
import { World } from './world/world.js';

export interface HistoryOptions {
  readonly seed: number;
  readonly fault?: Fault | null;
  /** In memory, or a real journal's file. */
  readonly store?: 'memory' | 'file';
  /** Called with everything that happens. */
  readonly trace?: (moment: Moment) => void;
}

export interface Violation {
  readonly invariant: string;
  readonly what: string;
  readonly step: number;
}

export interface Verdict {
  readonly seed: number;
  readonly violations: readonly Violation[];
  /** One text for all bytes of the journal. */
  readonly digest: string;
  readonly lives: number;
  readonly crashes: number;
  readonly rows: number;
  readonly requests: number;
  readonly steps: number;
}

/** A history in which so much happens does not end. */
const MAX_STEPS = 30_000;
/** Whatever a session has left behind shows itself within so long. */
const AFTERMATH_STEPS = 200;
/** Gaps between processes in which a person takes the newest compaction back. */
const UNDO_SHARE = 0.3;
/** Between a process and the next. */
const LONGEST_GAP_MS = 600_000;

export async function liveThrough(options: HistoryOptions): Promise<Verdict> {
  const history = new History(options);
  const fail = (error: unknown): void => history.fail(error);
  process.on('unhandledRejection', fail);
  try {
    await history.run().catch(fail);
    return history.verdict();
  } finally {
    process.off('unhandledRejection', fail);
    history.remove();
  }
}

class History {
  readonly #options: HistoryOptions;
  readonly #chance: Chance;
  readonly #scenario: Scenario;
  readonly #timeline: Timeline;
  readonly #store: RowStore;
  readonly #violations: Violation[] = [];
  readonly #world: World;
  readonly #watchers = INVARIANTS.map((invariant) =>
    invariant.watch(
      (what) => void this.#violations.push({ invariant: invariant.name, what, step: this.#steps }),
    ),
  );
  #lives = 0;
  #crashes = 0;
  #rows: readonly JournalRow[] = [];
  #digest = '';

  constructor(options: HistoryOptions) {
    const { seed, fault, store = 'memory' } = options;
    this.#options = options;
    const name = fault === 'unseeded-chance' ? `${seed}/${Math.random()}` : `${seed}`;
    this.#chance = new Chance(name);
    this.#scenario = scenarioOf(this.#chance.stream('scenario'));
    this.#timeline = new Timeline(this.#chance.stream('order'));
    const { id } = this.#scenario.spec;
    this.#store = store === 'file' ? new FileRows(id) : new MemoryRows(id);
    const note = (what: Happening): void => this.#note(what);
    const index = new SharedIndex(
      this.#scenario.money,
      this.#chance.stream('index'),
      () => this.#timeline.now(),
      note,
    );
    this.#world = new World(note, index, this.#scenario.hasFiles ? new Workspace() : null);
  }

  get #steps(): number {
    return this.#timeline.steps;
  }

  #note(what: Happening): void {
    if (what.type === 'life.opened') this.#lives += 1;
    if (what.type === 'life.crashed') this.#crashes += 1;
    const moment = { step: this.#steps, at: this.#timeline.now(), life: this.#lives, what };
    this.#options.trace?.(moment);
    this.#world.workspace?.see(what);
    for (const watcher of this.#watchers) watcher.see(moment);
  }

  /** What nobody has caught: of the product, or of the simulator itself. */
  fail(error: unknown): void {
    this.#note({ type: 'bug', error });
  }

  async run(): Promise<void> {
    let goals = this.#scenario.furtherGoals;
    let resumed: Resumed | null = null;
    for (let life = 0; ; life += 1) {
      const chance = this.#chance.stream(`life-${life}`);
      const result = await this.#live(resumed, chance);
      if (result === 'unending') break;
      const mayGoOn = result === null || life < this.#scenario.fates.length;
      if (!mayGoOn && goals === 0) break;
      if (result !== null) goals -= 1;
      if (goals < 0) break;
      const goal = result === null || chance.happens(0.3) ? null : `goal ${this.#world.newKey()}`;
      const byPerson = chance.happens(0.5);
      resumed = { goal, byPerson, add: byPerson && chance.happens(0.3) ? raiseOf(chance) : null };
      if (chance.happens(UNDO_SHARE)) await this.#undoCompaction();
      await this.#pass(chance.skewed(0, LONGEST_GAP_MS));
    }
    this.#rows = this.#store.read();
    this.#digest = this.#store.digest();
    this.#undoFiles();
    for (const watcher of this.#watchers) watcher.end?.(this.#rows);
  }

  /** What was cut off at its end is found by the next start alone. */
  #undoFiles(): void {
    const { workspace } = this.#world;
    if (workspace === null || this.#rows.at(-1)?.kind !== 'session.ended') return;
    for (const undone of workspace.undoAll(this.#rows)) this.#note(undone);
  }

  /** Null: it died. */
  async #live(resumed: Resumed | null, chance: Chance): Promise<RunResult | null | 'unending'> {
    const life = beginLife({
      scenario: this.#scenario,
      timeline: this.#timeline,
      world: this.#world,
      store: this.#store,
      chance,
      fate: this.#scenario.fates[this.#lives] ?? null,
      fault: this.#options.fault ?? null,
      resumed,
      note: (what) => this.#note(what),
    });
    const ended: { result: RunResult | null | 'unending' } = { result: 'unending' };
    void life.end.then((result) => (ended.result = result));
    while (ended.result === 'unending' && this.#mayStep()) await this.#timeline.step();
    const { result } = ended;
    if (result === null) this.#bury();
    else if (result === 'unending') life.process.die();
    else await this.#seeOff(life, result);
    return result;
  }

  /** As `ouro context undo` does with a session that is not running. */
  async #undoCompaction(): Promise<void> {
    const undo = undoOf(this.#store.read(), MAIN_AGENT, null);
    if (!undo.ok) return;
    this.#store.open(this.#timeline);
    this.#note({ type: 'rows.acknowledged', rows: this.#store.commit([undo.fact]) });
    await this.#store.close();
  }

  #mayStep(): boolean {
    const isOver = this.#steps >= MAX_STEPS || this.#violations.length >= MANY;
    if (this.#steps === MAX_STEPS) this.#note({ type: 'end.overdue', afterMs: 0 });
    return !isOver;
  }

  #bury(): void {
    this.#store.crash();
    if (this.#options.fault === 'lose-row') this.#store.loseNewest();
  }

  /** It has ended; nothing of it may happen from here on. */
  async #seeOff(life: RunningLife, result: RunResult): Promise<void> {
    this.#note({ type: 'life.ended', result });
    life.leave();
    for (let step = 0; step < AFTERMATH_STEPS && (await this.#timeline.step()); step += 1);
    const { pending: waiting } = life.process;
    if (waiting > 0) this.#note({ type: 'left.behind', waiting });
    life.process.die();
    await this.#store.close();
  }

  async #pass(ms: number): Promise<void> {
    const passing = { isOver: false };
    this.#timeline.after(ms, () => (passing.isOver = true), passing);
    while (!passing.isOver) await this.#timeline.step();
  }

  verdict(): Verdict {
    return {
      seed: this.#options.seed,
      violations: this.#violations,
      digest: this.#digest,
      lives: this.#lives,
      crashes: this.#crashes,
      rows: this.#rows.length,
      requests: this.#world.requests,
      steps: this.#steps,
    };
  }

  remove(): void {
    this.#store.remove();
    this.#world.index.close();
    this.#world.workspace?.remove();
  }
}

/** So many objections are enough to see what is wrong. */
const MANY = 20;
