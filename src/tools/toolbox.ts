/** Puts the tools of one session together behind the port that the executor knows. */
import type { ToolBox } from '../../actors/ports.js';
import { Admission } from './admission.js';
import { Dispatch } from './dispatch.js';
import { realPathOf, type Boundary } from './paths.js';
import { endSurvivors } from './process-survivors.js';
import { ProcessGroups } from './process.js';
import { redactor } from './redaction.js';
import { ResultCache, type CacheStatistics } from './result-cache.js';
import { ToolShelf } from './shelf.js';
import { toolSet } from './tool-set.js';
import type { ToolBoxDeps } from './toolbox-deps.js';

export interface SessionToolBox extends ToolBox {
  /** How often a read or a search was answered from memory. */
  readonly cacheStatistics: CacheStatistics;
  /** For a conversation that has forgotten what it had read: the next reads are real ones. */
  clearCache(): void;
  /**
   * Cancels what runs, ends every process that calls have started, and lets no further call begin.
   * Resolves when they are gone. `leavesKept`: those that outlive a restart go on.
   */
  terminateAll(leavesKept?: boolean): Promise<void>;
}

export function createToolBox(deps: ToolBoxDeps): SessionToolBox {
  const home = realPathOf(deps.ouroHome);
  const ouroHome = home.ok ? home.real : deps.ouroHome;
  const { workspace, addDirs = [], readDirs = [] } = deps;
  const boundary: Boundary = { workspace, ouroHome, addDirs, readDirs };
  const groups = new ProcessGroups();
  const redact = deps.redact ?? redactor(deps.environment);
  const { tools, background } = toolSet({ deps, boundary, groups, redact });
  const shelf = new ToolShelf(tools, (agent) => deps.kindOf(agent));
  const cache = new ResultCache(() => (background?.alive.length ?? 0) === 0);
  const { journal, time, judge, spillDir, approver = null, hooks = null } = deps;
  const { instructionsFor = null, guideFor = null, changes = null, planning = null } = deps;
  const { toolTimeoutMs, maxResultBytes } = deps.limits;
  const admission = new Admission({ boundary, judge, approver, hooks, shelf, redact, planning });
  const dispatch = new Dispatch({
    admission,
    shelf,
    cache,
    hooks,
    instructionsFor,
    guideFor,
    changes,
    journal,
    time,
    redact,
    spillDir,
    toolTimeoutMs,
    maxResultBytes,
  });
  return {
    definitions: (kind) => shelf.definitions(kind),
    canonical: (call) => shelf.canonical(call),
    plan: (agent, call) => dispatch.plan(agent, call),
    run: (call, context) => dispatch.run(call, context),
    get cacheStatistics() {
      return cache.statistics;
    },
    clearCache: () => cache.clear(),
    async terminateAll(leavesKept = false) {
      dispatch.close();
      const [left] = await Promise.all([background?.stopAll(leavesKept), groups.endAll()]);
      // What has left its group is still known by its environment.
      await endSurvivors([], deps.session, left);
    },
  };
}
