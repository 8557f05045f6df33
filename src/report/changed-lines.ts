/** The part of a report about files: what is different now, by whose doing, and how to have it back. */
import { resolve } from 'node:path';
import { count } from '../../tui/text/amounts.js';
import type { ChangedFile, FileDiff, ReportLine, SessionReport } from './report.js';

type Files = Pick<SessionReport, 'files' | 'commands' | 'diff' | 'workspace'>;

/** Files whose difference the session left, then what is not known of. */
export function changedLines({ files, commands, diff, workspace }: Files): ReportLine[] {
  const key = (path: string): string => resolve(workspace, path);
  const byTools = new Map(files.map((file) => [key(file.path), file]));
  const different = new Map((diff?.files ?? []).map((file) => [key(file.path), file]));
  const lines = [
    ...files.map((file) => toolLine(file, different.get(key(file.path)))),
    ...(diff?.files ?? [])
      .filter(({ path }) => !byTools.has(key(path)))
      .map((file) => ({ literal: file.path, text: amountOf(file) })),
  ];
  const gaps = (diff?.not_covered ?? []).map(({ place, reason }) => ({
    literal: place,
    text: `changes are not kept: ${reason}`,
  }));
  if (commands.length === 0) return [...lines, ...gaps];
  const elsewhere =
    diff === undefined
      ? 'what commands changed by themselves is not in this list'
      : 'what commands changed outside of the workspace or on the network is not in this list';
  return [...lines, ...gaps, { text: elsewhere }];
}

/** What it would take to look at it all, and to take it back; what cannot be taken back comes first. */
export function undoLines({
  diff,
  session_id: id,
}: Pick<SessionReport, 'diff' | 'session_id'>): ReportLine[] {
  if (diff === undefined || diff.files.length === 0) return [];
  const name = id.slice(0, 8);
  const lost = diff.files.filter(({ undoable }) => !undoable);
  return [
    ...lost.map(({ path, reason }) => ({ literal: path, text: `not: ${reason ?? ''}` })),
    { literal: `ouro diff ${name}`, text: 'all of it, as a patch' },
    { literal: `ouro undo ${name} --dry-run`, text: 'what would be put back' },
    { literal: `ouro undo ${name}`, text: 'puts it back; --to ROUND keeps what came before' },
  ];
}

const timesText = (n: number, one: string): string =>
  n === 1 ? `${one} once` : `${one} ${count(n)} times`;

/** Without a difference it may be as it was before, or nobody kept what it was. */
function toolLine(file: ChangedFile, diff: FileDiff | undefined): ReportLine {
  const { path, writes, edits, agents } = file;
  const how = [writes > 0 && timesText(writes, 'written'), edits > 0 && timesText(edits, 'edited')];
  const now = diff === undefined ? '' : amountOf(diff);
  const text = [now, ...how].filter((each) => each !== '' && each !== false).join(', ');
  return { literal: path, text: `${text}, by ${agents.join(', ')}` };
}

export function amountOf({ status, binary, added, removed }: FileDiff): string {
  if (binary) return `binary, ${status}`;
  if (added === null || removed === null || status === 'mode') return status;
  return `${status}, +${count(added)} -${count(removed)}`;
}
