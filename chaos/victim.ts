/**
 * One session that is killed again and again: where it lives, what it and its surroundings have promised so
 * far, and the ways to bring it back. What is found is kept in `findings`; nothing here throws for it.
 */
import { appendFileSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionId } from '../messages/ids.js';
import type { JournalRow } from '../messages/journal.js';
import { journalRows } from '../test/support/e2e/journal.js';
import { processesWith, type LivingProcess } from '../test/support/e2e/processes.js';
import { Bystander } from './bystander.js';
import { finding, type Check, type Finding } from './finding.js';
import { judgeLeftovers } from './judges/leftovers.js';
import { judgeKept, keptIn } from './judges/kept.js';
import { judgeRows } from './judges/journal.js';
import { keepersOf, killKeepers, startVerb, type ChaosPlace } from './place.js';
import type { WatchedServer } from './watched-server.js';

/** Nothing here takes a tenth of it on an idle machine. */
export const PATIENCE_MS = 30_000;
const POLL_MS = 15;

export class Victim {
  readonly place: ChaosPlace;
  readonly server: WatchedServer;
  readonly findings: Finding[] = [];
  /** Words that were acknowledged. */
  readonly said: string[] = [];
  /** Outcomes that clients were told of. */
  readonly finished = new Map<string, string>();
  /** How long `ouro resume` took until the session was ready. */
  readonly resumeMs: number[] = [];
  rows: readonly JournalRow[] = [];
  #id: SessionId | null = null;
  #bystander: Bystander | null = null;
  #words = 0;
  #isPaused = false;
  /** What it had started and what lived on after its last death. */
  #survivors: readonly LivingProcess[] = [];

  constructor(place: ChaosPlace, server: WatchedServer) {
    this.place = place;
    this.server = server;
  }

  get id(): SessionId {
    if (this.#id === null) throw new Error('the session was not started yet');
    return this.#id;
  }

  /** Null: nobody answers at its socket. */
  get bystander(): Bystander | null {
    return this.#bystander;
  }

  /** Beside the ledger, for whoever looks at a failure. */
  tell(line: string): void {
    appendFileSync(
      join(dirname(this.place.ledger), 'story.log'),
      `${new Date().toISOString()} ${line}\n`,
    );
  }

  found(check: Check, what: string): void {
    this.findings.push(finding(check, what));
    this.tell(`FOUND ${check}: ${what}`);
  }

  async start(): Promise<boolean> {
    const { baseUrl, model } = this.server;
    const flags = ['--base-url', baseUrl, '-m', model, '--max-rounds', '1000000'];
    const free = ['--permission-mode', 'bypass', '--sandbox', 'off'];
    const { code, stderr } = await startVerb(this.place, ['start', 'Fill it.', ...flags, ...free])
      .ended;
    const [id] = readdirSync(join(this.place.home, 'sessions'));
    if (code !== 0 || id === undefined) {
      this.found('not-finished', `ouro start ended with ${String(code)}: ${stderr.trim()}`);
      return false;
    }
    this.#id = id as SessionId;
    return this.#join();
  }

  /** Also lifts what holds it for how it ended: deaths at one point come often here. */
  async resume(): Promise<boolean> {
    const { code, stdout, stderr, ms } = await startVerb(this.place, this.resumeWords).ended;
    this.tell(`resume: ${String(code)} in ${Math.round(ms)} ms`);
    if (code === 0) {
      this.resumeMs.push(ms);
      if (await this.#join()) return true;
    }
    this.found('not-finished', `ouro resume ended with ${String(code)}: ${stdout}${stderr}`.trim());
    return false;
  }

  get resumeWords(): readonly string[] {
    return ['resume', this.id, '--force'];
  }

  /** Waits for the guardian to have brought it back. A pause that was acknowledged holds it then. */
  async revived(): Promise<boolean> {
    const back = await until(async () => keepersOf(this.place).daemons.length > 0 && this.#join());
    if (!back) this.found('not-finished', 'its guardian did not bring it back');
    if (back && this.#isPaused) {
      const holds = (await this.#bystander?.snapshot())?.holds ?? [];
      if (!holds.some(({ kind }) => kind === 'user')) {
        this.found('actions-lost', 'it was paused, died, and came back without its pause');
      }
    }
    this.#isPaused = false;
    await this.lift();
    return back;
  }

  /** A pause was acknowledged in the life that has just ended. */
  expectsPause(): void {
    this.#isPaused = true;
  }

  /** Whatever holds it, such as a server that was away or deaths at one point, is lifted by a person. */
  async lift(): Promise<void> {
    const snapshot = await this.#bystander?.snapshot();
    if (snapshot?.state !== 'held') return;
    await this.#bystander?.ask({ do: 'resume', args: { force: true } });
  }

  /** Something that has not been said before. True: it was acknowledged. */
  async say(words = `Note the word w${(this.#words += 1)}x.`): Promise<boolean> {
    const args = { text: words, mode: 'steer' } as const;
    const heard = (await this.#bystander?.ask({ do: 'send', args })) ?? false;
    if (heard) this.said.push(words);
    return heard;
  }

  /** False: it did not get so many requests further. */
  async works(requests: number, patienceMs: number): Promise<boolean> {
    const enough = this.server.requests + requests;
    return until(() => this.server.requests >= enough, patienceMs);
  }

  /** The daemon dies now, with or without its guardian; then its journal is held against what it was. */
  async kill(which: 'daemon' | 'both'): Promise<void> {
    const hit = killKeepers(this.place, which);
    const isGone = (pid: number): boolean => !keepersOf(this.place).daemons.includes(pid);
    if (!(await until(() => hit.every(isGone)))) this.found('processes-left', 'it did not die');
    this.#bystander?.leave();
    this.#bystander = null;
    this.#survivors = processesWith(`OURO_SESSION=${this.id}`);
    this.compareRows();
    this.tell(`killed ${which} (${hit.join(' ')}), ${this.rows.length} rows`);
  }

  compareRows(): void {
    try {
      const rows = journalRows(this.place, this.id);
      this.findings.push(...judgeRows(this.rows, rows));
      this.rows = rows;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.found('rounds-lost', `the journal cannot be read: ${why}`);
    }
  }

  #rowsNow(): readonly JournalRow[] {
    try {
      return journalRows(this.place, this.id);
    } catch {
      // Whoever compares them says so.
      return [];
    }
  }

  /** The lines of the ledger; [] when there is none yet. */
  get ledger(): readonly string[] {
    try {
      return readFileSync(this.place.ledger, 'utf8').split('\n').slice(0, -1);
    } catch {
      return [];
    }
  }

  async #join(): Promise<boolean> {
    this.#bystander?.leave();
    this.#bystander = await Bystander.join(this.place.home, this.id, this.finished);
    if (this.#bystander === null) return false;
    // Before anything else is decided, what outlived the last process is ended.
    const now = new Set(processesWith(`OURO_SESSION=${this.id}`).map(({ pid }) => pid));
    const kept = new Set(
      [...keptIn(this.rows).values()]
        .flatMap((callId) => processesWith(`OURO_CALL=${callId}`))
        .map(({ pid }) => pid),
    );
    const left = this.#survivors.filter(({ pid }) => now.has(pid) && !kept.has(pid));
    this.findings.push(...judgeLeftovers(left));
    const lived = new Set(this.#survivors.map(({ pid }) => pid));
    if (lived.size > 0) this.findings.push(...judgeKept(lived, now, this.#rowsNow()));
    this.#survivors = [];
    return true;
  }
}

/** False: it did not become true in time. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  const giveUpAt = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) return false;
    await sleep(POLL_MS);
  }
  return true;
}
