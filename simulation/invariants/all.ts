/** Every promise that is watched. */
import { acknowledgedRows } from './acknowledged-rows.js';
import { personsAnswers } from './persons-answers.js';
import { personsWords } from './persons-words.js';
import { effectsOnce } from './effects-once.js';
import { validHistory } from './valid-history.js';
import { holdsRespected } from './holds-respected.js';
import { oneOutcome } from './one-outcome.js';
import { limitsRespected } from './limits-respected.js';
import { everythingEnds } from './everything-ends.js';
import { stableResume } from './stable-resume.js';
import { trueCheckpoints } from './true-checkpoints.js';
import { sameBytes } from './same-bytes.js';
import { windowKept } from './window-kept.js';
import { budgetsKept } from './budgets-kept.js';
import { settledOnce } from './settled-once.js';
import { costsAddUp } from './costs-add-up.js';
import { filesUndone } from './files-undone.js';
import { noBugs } from './no-bugs.js';
import type { Invariant } from './invariant.js';

export const INVARIANTS: readonly Invariant[] = [
  acknowledgedRows,
  personsWords,
  personsAnswers,
  effectsOnce,
  validHistory,
  holdsRespected,
  oneOutcome,
  limitsRespected,
  everythingEnds,
  stableResume,
  trueCheckpoints,
  sameBytes,
  windowKept,
  budgetsKept,
  settledOnce,
  costsAddUp,
  filesUndone,
  noBugs,
];
