/**
 * Which lines of a transcript are its history, and in which order. A transcript is a tree: the history leads
 * from its newest leaf to the root or to the last cut. Lines that were taken back are passed by. Of an
 * answer with several calls, lines that hang beside that way (Claude Code writes calls that ran at once so)
 * belong to it. Pure.
 */
import type { Parent } from './claude-fields.js';

/** What is known of a line that has a place in the tree. */
export interface Node {
  readonly uuid: string;
  readonly parent: Parent;
  readonly at: number;
  /** A line that says something to the model, or a line that only links others. */
  readonly kind: 'user' | 'assistant' | 'link';
  readonly answer: string | null;
  /** Ids of calls it asks for. */
  readonly calls: readonly string[];
  /** Ids of calls it answers, when it does nothing else. */
  readonly results: readonly string[];
}

export interface Chain<T extends Node> {
  readonly nodes: readonly T[];
  readonly leaf: string | null;
  readonly notices: readonly string[];
}

export function chainOf<T extends Node>(nodes: readonly T[], dead: ReadonlySet<string>): Chain<T> {
  const tree = new Tree(nodes, dead);
  const leaf = tree.newestLeaf();
  if (leaf === null) return { nodes: [], leaf: null, notices: [] };
  const path = tree.pathTo(leaf);
  return { nodes: tree.withSiblings(path), leaf: leaf.uuid, notices: tree.notices };
}

class Tree<T extends Node> {
  readonly notices: string[] = [];
  readonly #nodes: readonly T[];
  readonly #dead: ReadonlySet<string>;
  readonly #places = new Map<string, number>();

  constructor(nodes: readonly T[], dead: ReadonlySet<string>) {
    this.#dead = dead;
    // The same line twice, as after a copy: the first one counts.
    this.#nodes = nodes.filter(({ uuid }) => {
      if (this.#places.has(uuid)) return false;
      this.#places.set(uuid, this.#places.size);
      return true;
    });
  }

  #lives(node: T): boolean {
    return node.kind !== 'link' && !this.#dead.has(node.uuid);
  }

  /** Where the line before it stands; -1: it is the first. `isGuess`: it names one that is not there. */
  #before(place: number): { readonly place: number; readonly isGuess: boolean } {
    const parent = this.#nodes[place]?.parent;
    if (parent === null) return { place: -1, isGuess: false };
    if (parent === undefined) return { place: place - 1, isGuess: false };
    const found = this.#places.get(parent);
    return { place: found ?? place - 1, isGuess: found === undefined && place > 0 };
  }

  /** The newest by time, then by place, of those that no living line comes after. */
  newestLeaf(): T | null {
    const followed = new Set<number>();
    // Ways that were gone before are not gone again, so that long links cost their length once.
    const gone = new Set<number>();
    for (let place = this.#nodes.length - 1; place >= 0; place -= 1) {
      const node = this.#nodes[place];
      if (node === undefined || !this.#lives(node)) continue;
      let next = this.#before(place).place;
      while (next >= 0 && next !== place && !gone.has(next)) {
        const parent = this.#nodes[next];
        if (parent !== undefined && this.#lives(parent)) {
          followed.add(next);
          break;
        }
        gone.add(next);
        next = this.#before(next).place;
      }
    }
    const living = this.#nodes.flatMap((node, place) =>
      this.#lives(node) ? [{ node, place }] : [],
    );
    const leaves = living.filter(({ place }) => !followed.has(place));
    return newest(leaves.map(({ node }) => node)) ?? living.at(-1)?.node ?? null;
  }

  /** From the root to the leaf. */
  pathTo(leaf: T): T[] {
    const path: T[] = [];
    const seen = new Set<number>();
    let place = this.#places.get(leaf.uuid) ?? -1;
    while (place >= 0) {
      if (seen.has(place)) {
        this.notices.push('lines name each other as parents in a circle; the history begins there');
        break;
      }
      seen.add(place);
      const node = this.#nodes[place];
      if (node !== undefined && this.#lives(node)) path.push(node);
      const before = this.#before(place);
      if (before.isGuess)
        this.notices.push(
          `the parent of line ${node?.uuid ?? ''} is missing; the line before it was taken`,
        );
      place = before.place;
    }
    return path.reverse();
  }

  /** The lines of the same answers, and results of their calls, that hang beside the path. */
  withSiblings(path: readonly T[]): readonly T[] {
    const chosen = new Map(path.map((node) => [node.uuid, node]));
    const beside = new Map<string, T[]>();
    for (const node of this.#nodes) {
      const parent = chosen.get(node.parent ?? '');
      if (chosen.has(node.uuid) || !this.#lives(node) || parent === undefined) continue;
      if (!belongs(node, parent)) continue;
      chosen.set(node.uuid, node);
      beside.set(parent.uuid, [...(beside.get(parent.uuid) ?? []), node]);
    }
    return beside.size === 0 ? path : [...inOrder(path, beside)];
  }
}

function newest<T extends Node>(leaves: readonly T[]): T | undefined {
  let best: T | undefined;
  for (const node of leaves) if (best === undefined || !(node.at < best.at)) best = node;
  return best;
}

/** A result hangs from the line that asked, a further line of an answer from one of that answer. */
function belongs(node: Node, parent: Node): boolean {
  if (node.kind === 'assistant') return node.answer !== null && node.answer === parent.answer;
  return node.results.length > 0 && node.results.every((id) => parent.calls.includes(id));
}

function* inOrder<T extends Node>(
  path: readonly T[],
  beside: ReadonlyMap<string, readonly T[]>,
): Generator<T> {
  const waiting: T[] = [...path].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    waiting.push(...[...(beside.get(node.uuid) ?? [])].reverse());
  }
}
