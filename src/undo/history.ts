/** What a session has changed, path by path, from its journal: changes in order, less those taken back. Pure. */
import {
  sameState,
  type FileChange,
  type FileState,
  type NotCovered,
} from '../../messages/changes.js';
import { MAIN_AGENT, type AgentId, type CallId, type Seq } from '../../messages/ids.js';
import type { JournalRow } from '../../messages/journal.js';

export interface PastChange extends FileChange {
  readonly seq: Seq;
  readonly agent: AgentId;
  readonly round: number;
  readonly callId: CallId;
}

/** All changes of one path, from some row on, as one. */
export interface NetChange extends FileChange {
  /** Between two of its changes somebody else changed it: to go back would lose that. */
  readonly isBroken: boolean;
  readonly last: PastChange;
}

export class FileHistory {
  readonly #byPath = new Map<string, PastChange[]>();
  readonly #notCovered = new Map<string, string>();
  readonly #rounds: { readonly round: number; readonly seq: Seq }[] = [];
  #commands = 0;

  /** Commands that were started, whatever they did. */
  get commands(): number {
    return this.#commands;
  }

  get notCovered(): readonly NotCovered[] {
    return [...this.#notCovered].map(([place, reason]) => ({ place, reason }));
  }

  apply(row: JournalRow): void {
    const { seq, agent, round } = row;
    switch (row.kind) {
      case 'model.intent':
        if (agent === MAIN_AGENT) this.#rounds.push({ round, seq });
        return;
      case 'tool.intent':
        if (row.body.effect === 'execute') this.#commands += 1;
        return;
      case 'files.changed':
        for (const change of row.body.changes) {
          const past = { ...change, seq, agent, round, callId: row.body.callId };
          const others = this.#byPath.get(change.path);
          if (others === undefined) this.#byPath.set(change.path, [past]);
          else others.push(past);
        }
        for (const { place, reason } of row.body.notCovered ?? [])
          this.#notCovered.set(place, reason);
        return;
      case 'files.undone':
        for (const path of row.body.paths) this.#forget(path, row.body.from);
        return;
      default:
    }
  }

  /** The row with which the round after this one began; null: there is none. */
  endOf(round: number): Seq | null {
    return this.#rounds.find((each) => each.round > round)?.seq ?? null;
  }

  /** The newest round. */
  get lastRound(): number {
    return this.#rounds.at(-1)?.round ?? 0;
  }

  /** The state each path was left in. */
  get left(): readonly (readonly [string, FileState])[] {
    return [...this.#byPath].flatMap(([path, past]) => {
      const last = past.at(-1);
      return last === undefined ? [] : [[path, last.after] as const];
    });
  }

  /** What is different since this row, sorted by path. */
  since(from: Seq): readonly NetChange[] {
    return [...this.#byPath]
      .flatMap(([path, all]) =>
        netOf(
          path,
          all.filter(({ seq }) => seq >= from),
        ),
      )
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #forget(path: string, from: Seq): void {
    const left = this.#byPath.get(path)?.filter(({ seq }) => seq < from) ?? [];
    if (left.length > 0) this.#byPath.set(path, left);
    else this.#byPath.delete(path);
  }
}

function netOf(path: string, past: readonly PastChange[]): NetChange[] {
  const [first, last] = [past[0], past.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (sameState(first.before, last.after)) return [];
  const isBroken = past.some(({ before }, i) => {
    const earlier = past[i - 1];
    return earlier !== undefined && !sameState(earlier.after, before);
  });
  return [{ path, before: first.before, after: last.after, isBroken, last }];
}

export function historyOf(rows: Iterable<JournalRow>): FileHistory {
  const history = new FileHistory();
  for (const row of rows) history.apply(row);
  return history;
}
