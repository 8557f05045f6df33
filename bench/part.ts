/** What a part of the benchmark is given, and what it gives back. */
import type { Row } from './figures.js';
import type { ModelServer } from './model-server.js';
import type { Course } from './course.js';

export type Extent = 'quick' | 'normal' | 'long';

export interface Bench {
  readonly extent: Extent;
  readonly server: ModelServer;
  /** A session of many rounds beside the bare loop; run once, when the first part asks for it. */
  course(): Promise<Course>;
  /** For people, on stderr. */
  say(text: string): void;
}

export interface Part {
  readonly name: string;
  /** What `--help` says of it. */
  readonly about: string;
  /** May throw: the part then is one row that says why. */
  run(bench: Bench): Promise<readonly Row[]>;
}

/** How often something is done, by extent. */
export const byExtent = <T>({ extent }: Pick<Bench, 'extent'>, values: Record<Extent, T>): T =>
  values[extent];
