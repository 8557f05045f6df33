/**
 * The model server of one session: the rehearsal server, with somebody beside it who reads every request as
 * the strictest server would. It outlives the session's processes. It can be taken away and put back at the
 * same address, and says when something happens that a kill may wait for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RehearsalEvent } from '../src/rehearsal/request-log.js';
import type { Scenario } from '../src/rehearsal/scenario.js';
import { startRehearsal, type RehearsalServer } from '../src/rehearsal/server.js';
import { finding, type Finding } from './finding.js';
import { judgeRequest } from './judges/request.js';

/** A request that is seen, before it is answered; of a compaction; and the last byte of an answer. */
export type Moment = 'request' | 'summary' | 'answer';

export class WatchedServer {
  readonly findings: Finding[] = [];
  /** Calls whose results were in a request. */
  readonly answered = new Set<string>();
  requests = 0;
  summaries = 0;
  readonly #scenario: Scenario;
  readonly #waiting = new Map<Moment, Set<() => void>>();
  #server: RehearsalServer;
  #port: number;

  private constructor(scenario: Scenario, server: RehearsalServer) {
    this.#scenario = scenario;
    this.#server = server;
    this.#port = Number(new URL(server.baseUrl).port);
    server.on((event) => this.#see(event));
  }

  static async start(scenario: Scenario): Promise<WatchedServer> {
    return new WatchedServer(scenario, await startRehearsal({ scenario }));
  }

  get baseUrl(): string {
    return this.#server.baseUrl;
  }

  get model(): string {
    return this.#server.model;
  }

  /** False: it did not come in time. */
  async next(moment: Moment, patienceMs: number): Promise<boolean> {
    const waiting = this.#waiting.get(moment) ?? new Set<() => void>();
    this.#waiting.set(moment, waiting);
    let seen: () => void = () => undefined;
    const come = new Promise<true>((resolve) => (seen = () => resolve(true)));
    waiting.add(seen);
    const patience = new AbortController();
    const late = sleep(patienceMs, false as const, { signal: patience.signal }).catch(
      () => false as const,
    );
    const came = await Promise.race([come, late]);
    patience.abort();
    waiting.delete(seen);
    return came;
  }

  /** What is under way is broken off, and nobody listens for so long; 0: only the connections are cut. */
  async goAway(ms: number): Promise<void> {
    await this.#server.close();
    if (ms > 0) await sleep(ms);
    this.#server = await startRehearsal({ scenario: this.#scenario, port: this.#port });
    this.#server.on((event) => this.#see(event));
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #see({ type, request }: RehearsalEvent): void {
    if (type === 'broken-off') return;
    if (type === 'answered') {
      this.#say('answer');
      return;
    }
    const { number, agent, body, turn } = request;
    this.requests += 1;
    const judged = judgeRequest(body ?? '');
    const refused = turn === null ? ['the scripted server refuses it'] : [];
    for (const problem of [...judged.problems, ...refused]) {
      this.findings.push(finding('requests-invalid', `request ${number} of ${agent}: ${problem}`));
    }
    for (const callId of judged.answered) this.answered.add(callId);
    if (judged.isSummary) this.summaries += 1;
    this.#say(judged.isSummary ? 'summary' : 'request');
  }

  #say(moment: Moment): void {
    for (const seen of this.#waiting.get(moment) ?? []) seen();
  }
}
