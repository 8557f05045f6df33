/** The worktree that a session was given, as its journal says. */
import type { SessionWorktree } from '../messages/session.js';
import { openJournalReader } from './store/journal-store.js';
import type { JournalPlace } from './store/journal-file.js';

/** Null: it has none, or its journal cannot be read: what nobody can name is not removed. */
export function worktreeIn(place: JournalPlace): SessionWorktree | null {
  try {
    const view = openJournalReader(place);
    try {
      // The first row says it.
      for (const { kind, body } of view.rows())
        return kind === 'session.started' ? (body.spec.worktree ?? null) : null;
      return null;
    } finally {
      view.close();
    }
  } catch {
    return null;
  }
}
