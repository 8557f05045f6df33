/**
 * What a person means by a file or folder to import: a transcript with its parts and those of its
 * sub-agents, or a checkpoint. Throws `TransferRefused`, with what to name instead.
 */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { ImportOrigin } from '../../messages/imported.js';
import { isGzip } from './checkpoint.js';
import { TransferRefused } from './refused.js';
import type { TranscriptFiles } from './transcript.js';

type Format = ImportOrigin['format'];

export type Source =
  | { readonly format: 'claude'; readonly file: string; readonly files: TranscriptFiles }
  | { readonly format: 'checkpoint'; readonly file: string };

/** Of a folder with too many, as many are named. */
const NAMED = 8;

export function findSource(path: string, format: Format | undefined): Source {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined)
    throw new TransferRefused(`There is no ${path}. Name the file to import.`);
  const file = stats.isDirectory() ? onlyIn(path, format) : path;
  if (!statSync(file).isFile()) throw new TransferRefused(`${file} is no file.`);
  if ((format ?? formatOf(file)) === 'checkpoint') return { format: 'checkpoint', file };
  return { format: 'claude', file, files: { parts: partsOf(file), side: sideOf(file) } };
}

/** By its first bytes, else by its name. */
function formatOf(file: string): Format {
  const start = Buffer.alloc(2);
  const fd = openSync(file, 'r');
  try {
    readSync(fd, start, 0, start.length, 0);
  } finally {
    closeSync(fd);
  }
  return isGzip(start) || extname(file) === '.json' ? 'checkpoint' : 'claude';
}

const PART = /_part(\d+)\.jsonl$/;
const STEP = /^(.*)_(\d+)\.json\.gz$/;

/** The one that is there; of the checkpoints of one session the newest. */
function onlyIn(folder: string, format: Format | undefined): string {
  const names = readdirSync(folder).sort();
  const transcripts = names.filter((name) => name.endsWith('.jsonl') && !PART.test(name));
  const found = [
    ...(format === 'checkpoint' ? [] : transcripts),
    ...(format === 'claude' ? [] : newestSteps(names.filter((name) => name.endsWith('.json.gz')))),
  ];
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return join(folder, only);
  const listed = found.slice(0, NAMED).map((name) => `\n  ${join(folder, name)}`);
  const more = found.length > NAMED ? `\n  and ${found.length - NAMED} more` : '';
  throw new TransferRefused(
    only === undefined
      ? `${folder} holds neither a transcript (.jsonl) nor a checkpoint (.json.gz). Name the file to import.`
      : `${folder} holds more than one session; name the one to import:${listed.join('')}${more}`,
  );
}

function newestSteps(names: readonly string[]): readonly string[] {
  const newest = new Map<string, { readonly name: string; readonly step: number }>();
  for (const name of names) {
    const [, session = name, step = '0'] = STEP.exec(name) ?? [];
    const before = newest.get(session);
    if (before === undefined || Number(step) > before.step)
      newest.set(session, { name, step: Number(step) });
  }
  return [...newest.values()].map(({ name }) => name);
}

/** `ID.jsonl`, then `ID_part2.jsonl` and so on, as far as there are any without a gap. */
function partsOf(file: string): readonly string[] {
  const parts = [file];
  while (statSync(partOf(file, parts.length + 1), { throwIfNoEntry: false })?.isFile() === true)
    parts.push(partOf(file, parts.length + 1));
  return parts;
}

const ENDING = /\.jsonl$/;

export const partOf = (file: string, n: number): string =>
  `${file.replace(ENDING, '')}_part${n}.jsonl`;

/** Where the transcripts of sub-agents stand, beside that of their session. */
export const sideFolder = (file: string): string =>
  join(ENDING.test(file) ? file.replace(ENDING, '') : `${file}.d`, 'subagents');

function sideOf(file: string): readonly string[] {
  const folder = sideFolder(file);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names.sort().map((name) => join(folder, name));
}
