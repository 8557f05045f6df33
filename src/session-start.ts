/** Where a session begins: its first messages, or what its journal holds, with what a crash left behind put right. */
import { loadPrompt } from '../config/prompts.js';
import { taskText } from './task-templates.js';
import { withInstruction } from './output/instruction.js';
import { foldersText } from './session-folders.js';
import { keptFrom } from './session-kept.js';
import { instructionsOf, spillDirOf, type Parts } from './session-parts.js';
import { systemPrompt } from './session-prompt.js';
import { fromJournal, fromNothing, type StartingPoint } from './session/starting-point.js';
import { capturedOutput } from './tools/captured-output.js';
import { endSurvivors } from './tools/process-survivors.js';
import { redactor } from './tools/redaction.js';
import { VERSION } from './version.js';
import type { InstructionSource } from './context/instructions.js';
import type { SessionSpec } from '../messages/session.js';

/** `recoverFiles` puts on record what a crash has cut off in the workspace. */
export async function startingPoint(
  parts: Parts,
  recoverFiles: () => Promise<void>,
): Promise<StartingPoint> {
  const { request, ground, endpoint, time } = parts;
  const { work, env, maxWaitMs } = request;
  const spillDir = spillDirOf(parts);
  const { spec, recovered, journal } = ground;
  const process_ = { version: VERSION, pid: process.pid };
  if (work.kind === 'new' || recovered === null) {
    const goal = work.kind === 'new' ? work.goal : '';
    return fromNothing(spec, goal, firstPrompt(spec, instructionsOf(parts)), process_);
  }
  // Before anything is decided: a survivor could still be changing what the agent is about to check.
  const kept = await keptFrom(recovered, { session: spec.id, spillDir });
  await endSurvivors(kept.others, spec.id, kept.spared);
  // Ahead of the repairs: once those are on record, nothing tells any more that something was cut off.
  await recoverFiles();
  return fromJournal(recovered, {
    spec,
    goal: work.goal,
    notice: [work.notice ?? [], kept.notice ?? []].flat().join('\n\n') || null,
    found: kept.rows,
    byPerson: work.byPerson || work.restart?.liftPause === true,
    wanted: work.byPerson || work.restart !== undefined,
    force: work.force === true,
    // A run that waits for a while only does so from the first request on.
    outageIsOver: work.byPerson && (endpoint.checked || typeof maxWaitMs === 'number'),
    process: process_,
    now: time.now(),
    nextSeq: journal.nextSeq,
    captured: (callId) => capturedOutput(spillDir, callId, redactor(env)),
  });
}

/** The system prompt of the main agent, read from the files as they are now. */
export function firstPrompt(spec: SessionSpec, instructions: InstructionSource): string {
  const prompt = [
    systemPrompt(instructions),
    foldersText(spec),
    taskText(spec.task),
    spec.plan === true ? `\n\n${loadPrompt('planning', {})}` : '',
  ].join('');
  return spec.outputSchema === undefined ? prompt : withInstruction(prompt, spec.outputSchema);
}
