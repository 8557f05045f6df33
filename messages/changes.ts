/** What a call has changed in the files of a workspace. Plain data: it is a body of the journal. */

/** Why the content of a file is not there to be put back. */
export type NotKept =
  /** Larger than one file may be. */
  | 'too-large'
  /** What is kept of the session has reached its limit. */
  | 'full'
  | 'unreadable';

/** What is at a path. Without its content, a file is known again by its stamp alone. */
export type FileState =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'file';
      readonly mode: number;
      readonly size: number;
      /** SHA-256 of the content, which is kept under this name; null: it is not kept. */
      readonly hash: string | null;
      /** Together with `hash: null`. */
      readonly notKept?: NotKept;
      /** Together with `hash: null`: inode, size and times. */
      readonly stamp?: string;
    }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder'; readonly mode: number }
  /** A socket, a pipe or a device: never kept. */
  | { readonly kind: 'other' };

export interface FileChange {
  /** From the workspace; absolute when it is outside of it. */
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
}

/** A place of the workspace whose changes are not kept; `.` is all of it. */
export interface NotCovered {
  readonly place: string;
  readonly reason: string;
}

/** Whether both are the same, as far as anybody can tell. */
export function sameState(a: FileState, b: FileState): boolean {
  switch (a.kind) {
    case 'none':
    case 'other':
      return a.kind === b.kind;
    case 'link':
      return b.kind === 'link' && a.target === b.target;
    case 'folder':
      return b.kind === 'folder' && a.mode === b.mode;
    case 'file':
      return b.kind === 'file' && a.mode === b.mode && sameContent(a, b);
  }
}

type FileKind = Extract<FileState, { kind: 'file' }>;

const sameContent = (a: FileKind, b: FileKind): boolean =>
  a.size === b.size &&
  (a.hash === null && b.hash === null
    ? a.stamp !== undefined && a.stamp === b.stamp
    : a.hash === b.hash);
