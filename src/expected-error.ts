/**
 * Errors that are no defects: the disk, a lock or a file of a person's is not as it should be, and their
 * message says what to do. The one list that the boundaries ask; everything else is a bug and stays one.
 */
import { ControlSocketError } from './control/socket-files.js';
import { SchemaTooNew } from './store/database.js';
import { DiskRefuses } from './store/disk-errors.js';
import { IndexDamage } from './store/index-store.js';
import { JournalDamage, JournalMissing, JournalUnwritable } from './store/journal-errors.js';
import { PlaceUnusable } from './store/place-unusable.js';

const EXPECTED = [
  ControlSocketError,
  DiskRefuses,
  IndexDamage,
  JournalDamage,
  JournalMissing,
  JournalUnwritable,
  PlaceUnusable,
  SchemaTooNew,
];

export const isExpected = (error: unknown): error is Error =>
  EXPECTED.some((kind) => error instanceof kind);
