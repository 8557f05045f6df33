/**
 * The files of a simulated session: a few real ones in a folder of their own, which no crash of it undoes. How
 * they were when a round began is remembered, if nobody was at work on them just then.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIN_AGENT, type CallId, type Seq } from '../../messages/ids.js';
import type { JournalFact, JournalRow } from '../../messages/journal.js';
import { hasSideEffects } from '../../messages/tools.js';
import { historyOf } from '../../src/undo/history.js';
import { planUndo } from '../../src/undo/plan-undo.js';
import { restore } from '../../src/undo/restore.js';
import type { Chance } from '../chance.js';
import type { Happening } from '../happenings.js';

/** Content and mode of each file, and each folder, by path. */
export type Tree = Readonly<Record<string, string>>;

interface Remembered {
  /** Of the row with which the round began. */
  readonly seq: Seq;
  readonly tree: Tree;
}

const FIRST_FILES = ['a.txt', 'b.txt', 'src/c.txt'] as const;
/** Those that commands make, change and remove. */
const COMMAND_FILES = ['a.txt', 'src/c.txt', 'made', 'src/deep/made'] as const;

export class Workspace {
  readonly #root = mkdtempSync(join(realpathSync(tmpdir()), 'ouro-simulation-'));
  /** Calls that may change files. */
  readonly #atWork = new Set<CallId>();
  /** Of rounds whose first row is on its way to the disk. */
  #coming: (Tree | null)[] = [];
  readonly #remembered: Remembered[] = [];
  readonly folder = join(this.#root, 'workspace');
  readonly home = join(this.#root, 'home');
  /** Where the session keeps what it changes. */
  readonly undoDir = join(this.home, 'undo');

  constructor() {
    mkdirSync(join(this.folder, 'src'), { recursive: true });
    mkdirSync(this.undoDir, { recursive: true });
    for (const path of FIRST_FILES) this.write(path, `${path} as it was`);
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text);
  }

  /** As a program might. */
  command(key: string, chance: Chance): void {
    const path = chance.pick(COMMAND_FILES);
    const absolute = join(this.folder, path);
    if (chance.happens(0.3)) rmSync(absolute, { force: true });
    else {
      mkdirSync(join(absolute, '..'), { recursive: true });
      writeFileSync(absolute, `${key} by a command`);
    }
  }

  see(what: Happening): void {
    if (what.type === 'life.opened') {
      this.#atWork.clear();
      this.#coming = [];
    } else if (what.type === 'rows.handed') what.facts.forEach((fact) => this.#hear(fact));
    else if (what.type === 'rows.acknowledged') {
      for (const { kind, agent, seq } of what.rows) {
        const tree = kind === 'model.intent' && agent === MAIN_AGENT ? this.#coming.shift() : null;
        if (tree) this.#remembered.push({ seq, tree });
      }
    }
  }

  #hear({ kind, agent, body }: JournalFact): void {
    if (kind === 'tool.intent' && hasSideEffects(body.effect)) this.#atWork.add(body.callId);
    if (kind === 'tool.outcome') this.#atWork.delete(body.callId);
    if (kind === 'model.intent' && agent === MAIN_AGENT)
      this.#coming.push(this.#atWork.size === 0 ? treeOf(this.folder) : null);
  }

  /** Undoes one remembered round after the other, the newest first, as a person would. */
  undoAll(rows: readonly JournalRow[]): readonly Extract<Happening, { type: 'files.undone' }>[] {
    const all = [...rows];
    return this.#remembered.toReversed().map(({ seq, tree }) => {
      const plan = planUndo(this.folder, historyOf(all).since(seq));
      const place = { workspace: this.folder, dir: this.undoDir };
      const { done, failed } = restore(place, plan.steps);
      const body = { to: null, from: seq, paths: done };
      all.push({
        kind: 'files.undone',
        agent: MAIN_AGENT,
        round: 0,
        body,
        seq: all.length + 1,
        ts: 0,
      });
      const refused = [...plan.conflicts, ...plan.notKept, ...failed];
      return {
        type: 'files.undone',
        from: seq,
        refused: refused.map(({ path, reason }) => `${path}: ${reason}`),
        wrong: differences(tree, treeOf(this.folder)),
      };
    });
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

function treeOf(folder: string, path = ''): Tree {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(join(folder, path)).sort()) {
    const at = path === '' ? name : `${path}/${name}`;
    const stat = statSync(join(folder, at));
    const mode = (stat.mode & 0o777).toString(8);
    if (stat.isDirectory()) Object.assign(tree, { [at]: `folder ${mode}` }, treeOf(folder, at));
    else tree[at] = `file ${mode} ${readFileSync(join(folder, at), 'utf8')}`;
  }
  return tree;
}

const differences = (wanted: Tree, found: Tree): string[] =>
  [...new Set([...Object.keys(wanted), ...Object.keys(found)])]
    .filter((path) => wanted[path] !== found[path])
    .map(
      (path) =>
        `${path} is "${found[path] ?? 'not there'}" and was "${wanted[path] ?? 'not there'}"`,
    );
