/**
 * What a session knows of the files of its workspace: the state each was last seen in, with its content kept.
 * Looking again tells what has changed since. It is on disk before a call begins, so that after a crash it
 * can be told what the call had done by then. Blocks while it works: it has a thread of its own.
 */
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  sameState,
  type FileChange,
  type FileState,
  type NotCovered,
} from '../../messages/changes.js';
import { ContentStore } from './content-store.js';
import { findState, linkAbove, look, NOTHING, type Found } from './file-state.js';
import { needingRoom } from './no-room.js';
import { walk } from './walk.js';

export interface LedgerSettings {
  /** Real path. */
  readonly workspace: string;
  /** Where it keeps what it knows. */
  readonly dir: string;
  /** Real path; closed to the session, and left out here. */
  readonly ouroHome: string;
  readonly maxFileBytes: number;
  readonly maxSessionBytes: number;
  /** Files and folders; with more, what commands do is not covered. */
  readonly maxFiles: number;
}

export interface Changes {
  readonly changes: readonly FileChange[];
  /** What was not said before. */
  readonly notCovered: readonly NotCovered[];
}

interface Entry {
  readonly state: FileState;
  readonly stamp: string;
  /** So new when it was looked at that a further change could leave the same stamp. */
  readonly isFresh: boolean;
}

/** Times of files are as coarse as the kernel's clock, which ticks every 10 ms at worst. */
const FRESH_MS = 50;

const NONE: FileState = { kind: 'none' };

/** In the file, behind the entries of a workspace that is covered as a whole. */
const WHOLE = 'whole';

export class Ledger {
  readonly #settings: LedgerSettings;
  readonly #store: ContentStore;
  readonly #file: string;
  readonly #entries = new Map<string, Entry>();
  readonly #unsaved = new Set<string>();
  /** Changes that may not be in the journal yet: until then a crash has to leave behind how it was before. */
  readonly #unconfirmed = new Set<string>();
  readonly #said = new Set<string>();
  #leftOut: readonly NotCovered[] = [];
  #isWhole = false;
  #savesWhole = false;
  #isTooLarge = false;
  #isLoaded = false;
  /** Found by a look that did not come to its end; the next one tells them too. */
  #found: FileChange[] = [];

  constructor(settings: LedgerSettings) {
    this.#settings = settings;
    this.#store = new ContentStore(settings.dir, settings.maxSessionBytes);
    this.#file = ledgerFile(settings.dir);
  }

  /** The path, and the folders that have to be made for it. */
  touchedBy(path: string): readonly string[] {
    const touched = [path];
    for (let above = dirname(path); above !== '.'; above = dirname(above)) {
      if (look(this.#absolute(above)) !== null) break;
      touched.push(above);
    }
    return touched;
  }

  lookAt(paths: readonly string[]): Changes {
    for (const path of paths) {
      const isFirst = !this.#isWhole || this.#isLeftOut(path);
      this.#update(path, this.#findNamed(path, true), isFirst);
    }
    return { changes: this.#takeFound(), notCovered: [] };
  }

  lookAtAll(): Changes {
    if (this.#isTooLarge) return { changes: [], notCovered: [] };
    const { workspace, maxFiles, ouroHome } = this.#settings;
    const walked = walk(workspace, { maxEntries: maxFiles, leftOut: ouroHome });
    if (walked === null) return this.#giveUp();
    this.#leftOut = walked.notCovered;
    const isFirst = !this.#isWhole;
    // Small ones first: if there is not room for all, there is room for most.
    const seen = [...walked.entries];
    if (isFirst) seen.sort(([, a], [, b]) => a.size - b.size);
    for (const [path, { stamp }] of seen) {
      const known = this.#entries.get(path);
      if (known !== undefined && known.stamp === stamp && !known.isFresh) continue;
      this.#update(path, this.#find(path, false), isFirst);
    }
    // Gone, or in a folder that is left out and was named by a call.
    for (const path of [...this.#entries.keys()]) {
      if (walked.entries.has(path)) continue;
      this.#update(path, this.#findNamed(path, false), isFirst);
    }
    if (isFirst) this.#savesWhole = true;
    this.#isWhole = true;
    return { changes: this.#takeFound(), notCovered: this.#news(walked.notCovered) };
  }

  /** Whoever asked has put on record what was found so far, or will not. */
  confirm(): void {
    for (const path of this.#unconfirmed) this.#unsaved.add(path);
    this.#unconfirmed.clear();
  }

  /** From here on a crash leaves behind what is known now, less what is not confirmed. */
  save(): void {
    if (this.#unsaved.size === 0 && !this.#savesWhole) return;
    const lines = [...this.#unsaved].map((path) => {
      const { state, stamp, isFresh } = this.#entries.get(path) ?? GONE;
      return JSON.stringify([path, state, stamp, isFresh]);
    });
    if (this.#savesWhole) lines.push(JSON.stringify(WHOLE));
    needingRoom(() => appendWhole(this.#file, `${lines.join('\n')}\n`));
    this.#unsaved.clear();
    this.#savesWhole = false;
  }

  /** What has changed since a crash cut it off; `known`: what is on record of it already. */
  recover(known: ReadonlyMap<string, FileState>): Changes {
    if (!existsSync(this.#file)) return { changes: [], notCovered: [] };
    if (!this.#isLoaded) this.#load();
    const found = this.#isWhole ? this.lookAtAll() : this.lookAt([...this.#entries.keys()]);
    const changes = found.changes.flatMap((change) => {
      const before = known.get(change.path) ?? change.before;
      return sameState(before, change.after) ? [] : [{ ...change, before }];
    });
    return { ...found, changes };
  }

  /** What was kept for nothing goes; what belongs to a change stays. */
  close(): void {
    rmSync(this.#file, { force: true });
    this.#store.dropSpare();
  }

  #load(): void {
    this.#isLoaded = true;
    for (const line of readFileSync(this.#file, 'utf8').split('\n')) {
      const read = parsed(line);
      if (read === WHOLE) this.#isWhole = true;
      else if (Array.isArray(read)) {
        const [path, state, stamp, isFresh] = read as [string, FileState, string, boolean];
        this.#entries.set(path, { state, stamp, isFresh });
      }
    }
  }

  #takeFound(): readonly FileChange[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  #giveUp(): Changes {
    this.#isTooLarge = true;
    const reason =
      `it has more than ${this.#settings.maxFiles} files and folders (undo.max_files), so what commands ` +
      'change in it cannot be undone';
    return { changes: [], notCovered: this.#news([{ place: '.', reason }]) };
  }

  #news(all: readonly NotCovered[]): readonly NotCovered[] {
    const news = all.filter(({ place }) => !this.#said.has(place));
    for (const { place } of news) this.#said.add(place);
    return news;
  }

  #isLeftOut(path: string): boolean {
    return this.#leftOut.some(({ place }) => path === place || path.startsWith(`${place}/`));
  }

  #absolute(path: string): string {
    return join(this.#settings.workspace, path);
  }

  /** Of a path that was not met on the way: it may lead through what is a link now. */
  #findNamed(path: string, isForced: boolean): Found {
    const link = linkAbove(this.#settings.workspace, path);
    return link === null ? this.#find(path, isForced) : NOTHING;
  }

  #find(path: string, isForced: boolean): Found {
    return findState(this.#absolute(path), this.#settings.maxFileBytes, (content) =>
      this.#store.put(content, isForced),
    );
  }

  /** `isFirst`: what was not known is not new. */
  #update(path: string, { state, stamp, changedAt }: Found, isFirst: boolean): void {
    const known = this.#entries.get(path);
    const isFresh = changedAt > Date.now() - FRESH_MS;
    this.#entries.set(path, { state, stamp, isFresh });
    const before = known?.state ?? NONE;
    if ((known === undefined && isFirst) || sameState(before, state)) {
      if (!this.#unconfirmed.has(path)) this.#unsaved.add(path);
      return;
    }
    this.#unsaved.delete(path);
    this.#unconfirmed.add(path);
    this.#store.keep(before);
    this.#store.keep(state);
    this.#found.push({ path, before, after: state });
  }
}

/** All of the text, or none of it: a line that is half there would swallow the next one. */
function appendWhole(file: string, text: string): void {
  const before = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  try {
    appendFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    if (existsSync(file)) truncateSync(file, before);
    throw error;
  }
}

const ledgerFile = (dir: string): string => join(dir, 'ledger.jsonl');

/** What an earlier run knew is of no use any more. */
export function forgetLedger(dir: string): void {
  rmSync(ledgerFile(dir), { force: true });
}

const GONE: Entry = { state: NONE, stamp: '', isFresh: false };

/** Null: the line was cut off while it was written. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}
