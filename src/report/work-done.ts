/** What the calls of a period came to: files changed, commands run, calls refused, calls cut off. */
import { resolve } from 'node:path';
import type { Millis } from '../../messages/ids.js';
import { argsText, exitCodeOf, textIn, type EndedCall } from './call-ledger.js';
import { iso } from './iso.js';
import type { ChangedFile, RefusedCall, RunCommand, UnknownCall, Unverified } from './report.js';
import { CheckTracker, looksLikeCheck } from './unverified.js';

interface FileWork {
  readonly path: string;
  writes: number;
  edits: number;
  readonly agents: Set<string>;
  changedAt: Millis;
}

export class WorkDone {
  readonly commands: RunCommand[] = [];
  readonly denials: RefusedCall[] = [];
  readonly unknown: UnknownCall[] = [];
  workspace = '/';
  readonly #onlyLooks: (command: string) => boolean;
  readonly #files = new Map<string, FileWork>();
  readonly #checks = new CheckTracker();

  /** `onlyLooks`: whether a command changes nothing. */
  constructor(onlyLooks: (command: string) => boolean) {
    this.#onlyLooks = onlyLooks;
  }

  beginGoal(): void {
    this.#checks.beginGoal();
  }

  add(ended: EndedCall): void {
    const { call, agent, outcome } = ended;
    const about = { tool: call.name, summary: argsText(call), agent, call_id: call.id };
    if (outcome.status === 'denied') this.denials.push({ ...about, rule: outcome.rule });
    if (outcome.status === 'unknown') this.unknown.push(about);
    if (call.name === 'shell') this.#addCommand(ended);
    else if (outcome.status === 'ok') this.#addFile(ended);
  }

  get files(): ChangedFile[] {
    return [...this.#files.values()].map(({ path, writes, edits, agents, changedAt }) => ({
      path,
      writes,
      edits,
      agents: [...agents],
      changed_at: iso(changedAt),
    }));
  }

  unverified(finalWords: string): Unverified {
    return this.#checks.result(finalWords);
  }

  #addCommand({ call, agent, round, ms, outcome }: EndedCall): void {
    const command = textIn(call.args, 'command');
    // What was refused has not run.
    if (outcome.status === 'denied' || (ms === null && outcome.status !== 'ok')) return;
    const code = exitCodeOf(outcome);
    this.commands.push({
      command,
      agent,
      round,
      call_id: call.id,
      status: outcome.status,
      exit_code: code,
      duration_ms: ms,
    });
    if (code !== null && looksLikeCheck(command)) this.#checks.check(command, code);
    else if (!this.#onlyLooks(command)) this.#checks.change(command);
  }

  #addFile({ call, agent, at }: EndedCall): void {
    if (call.name !== 'write_file' && call.name !== 'edit_file') return;
    const path = textIn(call.args, 'path');
    const key = resolve(this.workspace, path);
    const file = this.#files.get(key) ?? {
      path,
      writes: 0,
      edits: 0,
      agents: new Set<string>(),
      changedAt: at,
    };
    if (call.name === 'write_file') file.writes += 1;
    else file.edits += 1;
    file.agents.add(agent);
    file.changedAt = at;
    this.#files.set(key, file);
    this.#checks.change(path);
  }
}
