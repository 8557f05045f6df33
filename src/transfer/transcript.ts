/**
 * Reads a transcript of Claude Code, or one that is written like it. The first pass keeps every line, with
 * secrets taken out, beside the journal to be, and remembers where it stands and what it is linked to; the
 * history is then read from what was kept. So memory grows by what is known of a line, never by its text.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Usage } from '../../messages/model.js';
import { chainOf, type Chain, type Node } from './chain.js';
import { addUsage, entryOf, usageOf, type Entry } from './claude-fields.js';
import { cleanLine, type Redact } from './clean-json.js';
import { blocksOf } from './content-blocks.js';
import { LineFile } from './line-file.js';
import { linesOf } from './line-reader.js';
import { isJson, TransferRefused } from './refused.js';
import { turnsOf, type Piece, type Turn } from './turns.js';

/** As much as its writers allow a session; far more than any model could be told. */
export const MAX_TRANSCRIPT_BYTES = 200 * 1024 * 1024;

/** The files of one transcript. */
export interface TranscriptFiles {
  /** The parts of the main file, in order. */
  readonly parts: readonly string[];
  /** Those of sub-agents. */
  readonly side: readonly string[];
}

interface KeptNode extends Node {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
}

/** One agent's history. */
export interface History {
  /** Null: the main agent. */
  readonly agent: string | null;
  readonly leaf: string | null;
  turns(): Iterable<Turn>;
}

export interface Transcript {
  readonly session: string | null;
  readonly cwd: string | null;
  readonly usage: Usage | null;
  /** Of the kept main file. */
  readonly sha256: string;
  readonly lines: number;
  readonly main: History;
  readonly agents: readonly History[];
  /** What a person should know; more come while histories are read. */
  readonly notices: Set<string>;
}

export const keptMain = (keepIn: string): string => join(keepIn, 'main.jsonl');
export const keptSide = (keepIn: string): string => join(keepIn, 'subagents');

/** Throws `TransferRefused`. Writes nothing but the folder `keepIn`. */
export function readTranscript(files: TranscriptFiles, keepIn: string, redact: Redact): Transcript {
  const all = [...files.parts, ...files.side];
  const bytes = all.reduce((sum, file) => sum + statSync(file).size, 0);
  if (bytes > MAX_TRANSCRIPT_BYTES) {
    throw new TransferRefused(
      `${all[0] ?? ''} and what belongs to it has ${bytes} bytes; at most ${MAX_TRANSCRIPT_BYTES} are imported. ` +
        `Take the parts that matter into a file of their own.`,
    );
  }
  const reading = new Reading(redact);
  const sha256 = reading.keep(keptMain(keepIn), files.parts, null);
  for (const file of files.side) {
    const agent = basename(file, '.jsonl').replace(/^agent-/, '');
    reading.keep(join(keptSide(keepIn), basename(file)), [file], agent);
  }
  return reading.transcript(sha256);
}

class Reading {
  readonly #redact: Redact;
  readonly #notices = new Set<string>();
  readonly #groups = new Map<string | null, KeptNode[]>([[null, []]]);
  /** The group of a line that is a sub-agent's. */
  readonly #groupOf = new Map<string, string>();
  readonly #dead = new Set<string>();
  readonly #usage = new Map<string, Usage>();
  #session: string | null = null;
  #cwd: string | null = null;
  #lines = 0;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  /** `agent`: whose file it is; null: the main one, in which lines of sub-agents are marked. */
  keep(path: string, parts: readonly string[], agent: string | null): string {
    const kept = new LineFile(path);
    try {
      for (const part of parts) this.#keepPart(kept, part, agent);
    } catch (error) {
      kept.abandon();
      throw error;
    }
    return kept.finish();
  }

  #keepPart(kept: LineFile, part: string, agent: string | null): void {
    for (const { n, bytes, ended } of linesOf(part)) {
      if (bytes.length === 0) continue;
      const line = cleanLine(bytes, this.#redact);
      if (!line.isJson && !ended) {
        this.#notices.add(`the last line of ${basename(part)} was cut off and is left out`);
        return;
      }
      if (!line.isJson)
        this.#notices.add(`line ${n} of ${basename(part)} is no JSON; it is kept unread`);
      this.#lines += 1;
      const offset = kept.write(line.bytes);
      if (!isJson(line.value)) continue;
      const place = { file: kept.path, offset, bytes: line.bytes.length };
      this.#add(entryOf(line.value), place, agent);
    }
  }

  #add(
    entry: Entry,
    place: Pick<KeptNode, 'file' | 'offset' | 'bytes'>,
    agent: string | null,
  ): void {
    if (entry.deleted !== null) this.#dead.add(entry.deleted);
    this.#session ??= entry.session;
    this.#cwd ??= entry.cwd;
    const kind = kindOf(entry);
    if (kind === 'link' && entry.uuid === null) return;
    if (entry.type === 'summary' || entry.type === 'tombstone') return;
    const uuid = entry.uuid ?? `line-${this.#lines}`;
    const { text, calls, results } = blocksOf(entry.message?.['content']);
    const node: KeptNode = {
      ...place,
      uuid,
      parent: entry.parent,
      at: entry.at,
      kind,
      answer: entry.answer,
      calls: calls.map(({ id }) => id),
      results: text === '' ? results.map(({ id }) => id) : [],
    };
    this.#place(node, agent ?? this.#sidechain(entry, uuid));
    const usage = kind === 'assistant' && entry.message !== null ? usageOf(entry.message) : null;
    if (usage !== null) this.#usage.set(entry.answer ?? uuid, usage);
  }

  /** Lines of one sub-agent are known by its name, or by hanging together. */
  #sidechain({ sidechain, agent, parent }: Entry, uuid: string): string | null {
    if (!sidechain) return null;
    const group = agent ?? this.#groupOf.get(parent ?? '') ?? uuid;
    this.#groupOf.set(uuid, group);
    return group;
  }

  #place(node: KeptNode, group: string | null): void {
    const nodes = this.#groups.get(group);
    if (nodes === undefined) this.#groups.set(group, [node]);
    else nodes.push(node);
  }

  transcript(sha256: string): Transcript {
    const histories = [...this.#groups].map(([agent, nodes]): History => {
      const chain = chainOf(nodes, this.#dead);
      for (const notice of chain.notices) this.#notices.add(notice);
      return { agent, leaf: chain.leaf, turns: () => this.#turns(chain) };
    });
    const [main, ...agents] = histories;
    if (main === undefined) throw new Error('there is always a main history');
    return {
      ...{ session: this.#session, cwd: this.#cwd, sha256, lines: this.#lines, main, agents },
      usage: [...this.#usage.values()].reduce<Usage | null>(addUsage, null),
      notices: this.#notices,
    };
  }

  #turns({ nodes }: Chain<KeptNode>): Iterable<Turn> {
    return turnsOf(piecesOf(nodes), () =>
      this.#notices.add('results of calls that nobody made are kept and not told to the model'),
    );
  }
}

/** A line that says nothing to a model may still link others. */
function kindOf({ type, message, isError }: Entry): Node['kind'] {
  if (message === null || isError) return 'link';
  return type === 'user' || type === 'assistant' ? type : 'link';
}

function* piecesOf(nodes: readonly KeptNode[]): Generator<Piece> {
  const open = new Map<string, number>();
  try {
    for (const { file, offset, bytes } of nodes) {
      const fd = open.get(file) ?? openSync(file, 'r');
      open.set(file, fd);
      yield pieceOf(readAt(fd, offset, bytes).toString('utf8'));
    }
  } finally {
    for (const fd of open.values()) closeSync(fd);
  }
}

function readAt(fd: number, offset: number, bytes: number): Buffer {
  const line = Buffer.alloc(bytes);
  for (let done = 0; done < bytes;) {
    const read = readSync(fd, line, done, bytes - done, offset + done);
    if (read === 0) throw new Error('a kept transcript became shorter while it was read');
    done += read;
  }
  return line;
}

function pieceOf(line: string): Piece {
  const value: unknown = JSON.parse(line);
  const entry = entryOf(isJson(value) ? value : {});
  const blocks = blocksOf(entry.message?.['content']);
  if (entry.type === 'assistant') return { kind: 'assistant', answer: entry.answer, blocks };
  const { text, results } = blocks;
  return { kind: 'user', text, isOwn: !entry.isMeta, results, agent: entry.resultOf };
}
