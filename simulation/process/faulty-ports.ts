/** Ports as they are, or with the fault that is put in: nothing of the product itself is changed. */
import type { Journal, ToolBox } from '../../actors/ports.js';
import type { AgentLimits } from '../../actors/sub-agent-supervisor.js';
import type { JournalRow } from '../../messages/journal.js';
import { hasSideEffects } from '../../messages/tools.js';
import type { AskPerson } from '../../src/session/ask-person.js';
import type { Mesh } from '../../src/session/mesh.js';
import type { Fault } from '../faults.js';

const NO_LIMITS: AgentLimits = { atOnce: 1_000, alive: 1_000, depth: 1_000 };

/** What a resume reads. */
export const rowsAsRead = (
  rows: readonly JournalRow[],
  fault: Fault | null,
): readonly JournalRow[] =>
  fault === 'repeat-effect'
    ? rows.filter(({ kind, body }) => kind !== 'tool.intent' || !hasSideEffects(body.effect))
    : rows;

export const limitsAsKnown = (limits: AgentLimits, fault: Fault | null): AgentLimits =>
  fault === 'forget-limits' ? NO_LIMITS : limits;

export const roundsAsKnown = (maxRounds: number | null, fault: Fault | null): number | null =>
  fault === 'forget-limits' ? null : maxRounds;

export function journalOfTools(journal: Journal, fault: Fault | null): Journal {
  if (fault !== 'early-effect') return journal;
  return {
    append: (facts) => {
      const written = journal.append(facts);
      return facts.some(({ kind }) => kind === 'tool.intent') ? Promise.resolve(0) : written;
    },
  };
}

/** Every so manieth answer is lost. */
const LOST_ANSWERS = 10;

export function toolsAsHeard<Tools extends ToolBox>(tools: Tools, fault: Fault | null): Tools {
  if (fault === 'throw-in-port') {
    return { ...tools, run: () => Promise.reject(new Error('a port that must not throw')) };
  }
  if (fault !== 'lose-wake-up') return tools;
  let answers = 0;
  return {
    ...tools,
    run: async (call, context) => {
      const finished = await tools.run(call, context);
      answers += 1;
      return answers % LOST_ANSWERS === 0 ? new Promise(() => undefined) : finished;
    },
  };
}

/** A person is asked whatever was said before. */
export const personAsAsked = (ask: AskPerson, fault: Fault | null): AskPerson =>
  fault !== 'ask-again'
    ? ask
    : async (...question) => {
        await ask(...question);
        return ask(...question);
      };

/** The gates open again at once; that the holds are lifted is kept out of the journal elsewhere. */
export function openBehindItsBack(mesh: Mesh): void {
  mesh.facts.on((fact) => {
    if (fact.type !== 'pause.changed') return;
    for (const { kind, scope } of fact.holds) {
      mesh.deliver({ to: 'pause', message: { type: 'pause.lift', kinds: [kind], scope } });
    }
  });
}
