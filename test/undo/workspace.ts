/** A real workspace that a session works in, without the session: its ledger, its rows, and what undoing gives. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { MAIN_AGENT, type CallId } from '../../messages/ids.js';
import { factOf, type JournalFact, type JournalRow } from '../../messages/journal.js';
import { historyOf, type FileHistory } from '../../src/undo/history.js';
import { Ledger, type Changes, type LedgerSettings } from '../../src/undo/ledger.js';

export interface Place {
  readonly workspace: string;
  readonly dir: string;
  readonly settings: LedgerSettings;
}

export function newPlace(limits: Partial<LedgerSettings> = {}): Place {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'ouro-undo-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [workspace, dir] = [join(root, 'workspace'), join(root, 'home', 'undo')];
  mkdirSync(workspace);
  mkdirSync(dir, { recursive: true });
  const settings = {
    workspace,
    dir,
    ouroHome: join(root, 'home'),
    maxFileBytes: 10_000,
    maxSessionBytes: 1_000_000,
    maxFiles: 1_000,
    ...limits,
  };
  return { workspace, dir, settings };
}

/** Everything in a folder, with content and mode. */
export function treeOf(folder: string, path = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(join(folder, path)).sort()) {
    const at = path === '' ? name : `${path}/${name}`;
    const stat = lstatSync(join(folder, at));
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) tree[at] = `link ${readlinkSync(join(folder, at))}`;
    else if (stat.isDirectory())
      Object.assign(tree, { [at]: `folder ${mode}` }, treeOf(folder, at));
    else tree[at] = `file ${mode} ${readFileSync(join(folder, at), 'latin1')}`;
  }
  return tree;
}

/** What a session would put on record, in memory. */
export class SessionRecord {
  readonly ledger: Ledger;
  readonly #rows: JournalRow[] = [];

  constructor(settings: LedgerSettings) {
    this.ledger = new Ledger(settings);
  }

  get history(): FileHistory {
    return historyOf(this.#rows);
  }

  add(fact: JournalFact): void {
    this.#rows.push({ ...fact, seq: this.#rows.length + 1, ts: 0 });
  }

  beginRound(round: number): void {
    const body = { model: 'm', messages: 1, attempt: 1 };
    this.add(factOf('model.intent', MAIN_AGENT, round, body));
  }

  /** A call that names its path. */
  write(path: string, work: () => void): void {
    const touched = this.ledger.touchedBy(path);
    this.ledger.lookAt(touched);
    work();
    this.#found(this.ledger.lookAt(touched));
  }

  /** A call that may change anything. */
  run(work: () => void): void {
    this.ledger.lookAtAll();
    work();
    this.#found(this.ledger.lookAtAll());
  }

  #found({ changes, notCovered }: Changes): void {
    const body = { callId: 'main_1_1' as CallId, changes, notCovered };
    this.add(factOf('files.changed', MAIN_AGENT, 1, body));
  }
}
