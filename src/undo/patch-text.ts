/** What a change looks like as a patch that git and `patch` understand. Bytes that are no text are named as such. */
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import type { FileState } from '../../messages/changes.js';
import { readContent } from './content-store.js';
import type { NetChange } from './history.js';

export interface ChangePatch {
  readonly status: 'created' | 'deleted' | 'changed' | 'mode';
  readonly isBinary: boolean;
  /** Null: its lines cannot be told. */
  readonly lines: { readonly added: number; readonly removed: number } | null;
  /** In the form of git; ends with a line end. */
  readonly text: string;
}

/** As git does it: text has no NUL near its beginning. */
const PROBED_BYTES = 8_000;

/** Two versions that have nothing in common take forever to compare line by line. */
const COMPARE_MS = 5_000;

const CONTEXT_LINES = 3;

const BINARY = 'binary';

export function patchOf(dir: string, change: NetChange): ChangePatch {
  const { path, before, after } = change;
  const status = statusOf(before, after);
  const [old, now] = [bytesOf(dir, before), bytesOf(dir, after)];
  if (before.kind === 'folder' || after.kind === 'folder') return folderPatch(change, status);
  if (old === null || now === null) return unread(change, status, 'its content was not kept');
  if (isBinary(old) || isBinary(now)) return unread(change, status, BINARY);
  const patch = structuredPatch(
    `a/${path}`,
    `b/${path}`,
    old.toString('utf8'),
    now.toString('utf8'),
    undefined,
    undefined,
    { context: CONTEXT_LINES, timeout: COMPARE_MS },
  );
  if (patch === undefined) return unread(change, status, 'too different to compare');
  const all = patch.hunks.flatMap(({ lines }) => lines);
  const starting = (mark: string): number => all.filter((line) => line.startsWith(mark)).length;
  const oldFileName = before.kind === 'none' ? '/dev/null' : patch.oldFileName;
  const newFileName = after.kind === 'none' ? '/dev/null' : patch.newFileName;
  const text = formatPatch({ ...patch, oldFileName, newFileName }, FILE_HEADERS_ONLY);
  return {
    status,
    isBinary: false,
    lines: { added: starting('+'), removed: starting('-') },
    text: headOf(change) + (all.length === 0 ? '' : text),
  };
}

function statusOf(before: FileState, after: FileState): ChangePatch['status'] {
  if (before.kind === 'none') return 'created';
  if (after.kind === 'none') return 'deleted';
  const isSame = before.kind === 'file' && after.kind === 'file' && before.hash === after.hash;
  return isSame && before.hash !== null ? 'mode' : 'changed';
}

/** Git knows no folders; a line of words between patches is nothing to it. */
function folderPatch({ path }: NetChange, status: ChangePatch['status']): ChangePatch {
  const text = `# folder ${quoted(path)}: ${status}\n`;
  return { status, isBinary: false, lines: null, text };
}

function unread(change: NetChange, status: ChangePatch['status'], why: string): ChangePatch {
  const [old, now] = [`a/${change.path}`, `b/${change.path}`].map(quoted);
  const differ = `Binary files ${old} and ${now} differ\n`;
  const isBytes = why === BINARY;
  const text = isBytes ? headOf(change) + differ : `# ${quoted(change.path)}: ${status}, ${why}\n`;
  return { status, isBinary: isBytes, lines: null, text };
}

function headOf({ path, before, after }: NetChange): string {
  const [old, now] = [modeOf(before), modeOf(after)];
  const lines = [`diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}`];
  if (old === null && now !== null) lines.push(`new file mode ${now}`);
  else if (now === null && old !== null) lines.push(`deleted file mode ${old}`);
  else if (old !== now) lines.push(`old mode ${old}`, `new mode ${now}`);
  return `${lines.join('\n')}\n`;
}

/** A line end in a name must not begin a line of its own. */
const quoted = (name: string): string => (/["\\\p{Cc}]/u.test(name) ? JSON.stringify(name) : name);

/** In the octal form of git; null: there is nothing. */
function modeOf(state: FileState): string | null {
  switch (state.kind) {
    case 'none':
      return null;
    case 'file':
      return `100${state.mode.toString(8).padStart(3, '0')}`;
    case 'link':
      return '120000';
    case 'folder':
      return `040${state.mode.toString(8).padStart(3, '0')}`;
    case 'other':
      return '000000';
  }
}

/** Null: it was not kept. */
function bytesOf(dir: string, state: FileState): Buffer | null {
  switch (state.kind) {
    case 'file':
      return state.hash === null ? null : readContent(dir, state.hash);
    case 'link':
      return Buffer.from(state.target);
    case 'none':
    case 'folder':
      return Buffer.alloc(0);
    case 'other':
      return null;
  }
}

const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, PROBED_BYTES).includes(0);
