/**
 * The report in words: sections of lines, in the order in which a person wants to know. What has nothing to
 * say is left out. Foreign text is still as it was; whoever prints it makes it safe.
 */
import { count, dollars, duration, plural, stamp } from '../../tui/text/amounts.js';
import { worktreeCommands } from '../../tui/text/worktree-commands.js';
import { changedLines, undoLines } from './changed-lines.js';
import type { ReportLine, RunCommand, SessionReport } from './report.js';

export interface ReportSection {
  readonly title: string;
  readonly lines: readonly ReportLine[];
}

/** Longer lists end with how many there are more; `--json` has them all. */
export const MAX_LINES = 25;

/** Below that number together with the claims: what they are said about stands above them. */
const MAX_CHANGES = 10;

const at = (iso: string): string => stamp(Date.parse(iso));
const words = (text: string): ReportLine => ({ text });

export function sectionsOf(report: SessionReport): ReportSection[] {
  const { questions, todos } = report;
  const all: [string, readonly ReportLine[]][] = [
    ['Goal', report.goals.map(({ goal }) => words(goal))],
    ['Outcome', outcomeLines(report)],
    ['Waiting for you', questions.open.map((q) => ({ literal: q.id, text: q.prompt }))],
    ['Last words', report.outcome.text.trim() === '' ? [] : [words(report.outcome.text.trim())]],
    ['Changed', changedLines(report)],
    ['Worktree', worktreeLines(report)],
    ['Ran', report.commands.map(commandLine)],
    ['Background processes', processLines(report)],
    ['Sub-agents', subAgentLines(report)],
    ['Used', usageLines(report)],
    ['Unverified', unverifiedLines(report)],
    ['Denied', report.denials.map((d) => ({ literal: `${d.tool} ${d.summary}`, text: d.rule }))],
    ['Cut off', unknownLines(report)],
    ['Model errors', errorLines(report)],
    ['Holds', holdLines(report)],
    ['Answered', questions.closed.map((q) => words(`${q.id} ${q.prompt}: ${q.answer}`))],
    ['Found', report.discoveries.map((one) => words(`${one.title}: ${one.description}`))],
    ['Still to do', todos.open.map(words)],
    ['Undo', undoLines(report)],
    ['Go on', report.go_on.map((command) => ({ literal: command, text: '' }))],
  ];
  return all.flatMap(([title, lines]) =>
    lines.length === 0 ? [] : [{ title, lines: shortened(lines) }],
  );
}

/** Commands, runnable as they stand: the branch has what is committed there. */
function worktreeLines({ worktree }: SessionReport): readonly ReportLine[] {
  if (worktree === undefined) return [];
  const { commit, merge, remove } = worktreeCommands(worktree);
  return [
    { literal: worktree.folder, text: `on the branch ${worktree.branch}` },
    { literal: commit, text: 'keeps what is in it' },
    { literal: merge, text: 'takes it over' },
    { literal: remove, text: 'drops the folder' },
  ];
}

/** The newest say the most about how it ended. */
function shortened(lines: readonly ReportLine[]): readonly ReportLine[] {
  const hidden = lines.length - MAX_LINES;
  if (hidden <= 0) return lines;
  return [words(`${count(hidden)} earlier, all of them with --json`), ...lines.slice(hidden)];
}

function outcomeLines({ outcome, started_at, last_heard_at, forked_from, since }: SessionReport) {
  const { status, reason, resumed } = outcome;
  const state = (status ?? 'interrupted').replaceAll('_', ' ');
  const again = resumed === 0 ? '' : `, resumed ${plural(resumed, 'time')}`;
  const lines = [
    words(reason === '' || reason === status ? state : `${state}: ${reason}`),
    words(`started ${at(started_at)}, last heard of ${at(last_heard_at)}${again}`),
  ];
  if (since !== null) lines.push(words(`told from ${at(since)} on`));
  if (forked_from !== null) {
    const { session_id: origin, round } = forked_from;
    lines.push(words(`branched off session ${origin.slice(0, 8)} after its round ${round}`));
  }
  return lines;
}

function commandLine({ command, agent, round, status, exit_code, duration_ms }: RunCommand) {
  const end = exit_code === null ? status : `exit ${exit_code}`;
  const took = duration_ms === null ? '' : ` after ${duration(duration_ms)}`;
  return { literal: command, text: `${end}${took}, ${agent} round ${round}` };
}

function processLines({ processes }: SessionReport): ReportLine[] {
  return processes.map(({ id, command, state, exit_code }) => {
    const end = exit_code === null ? state.replaceAll('-', ' ') : `exit ${exit_code}`;
    return { literal: command, text: `${id}, ${end}` };
  });
}

function subAgentLines({ sub_agents }: SessionReport): ReportLine[] {
  return sub_agents.map(({ agent, kind, task, status, rounds }) =>
    words(`${agent} (${kind}), ${status ?? 'not ended'}, ${plural(rounds, 'round')}: ${task}`),
  );
}

function usageLines({ usage, models, scripted }: SessionReport): ReportLine[] {
  const text = (one: SessionReport['usage']): string =>
    `${plural(one.rounds, 'round')}, ${count(one.prompt_tokens)} tokens in ` +
    `(${count(one.cached_tokens)} cached), ${count(one.completion_tokens)} out, ` +
    `cost ${dollars(one.cost_usd)}`;
  const note = scripted ? ' (scripted, no real model)' : '';
  const each = models.length < 2 ? [] : models.map((one) => words(`${one.model}: ${text(one)}`));
  return [words(`${text(usage)}${note}`), ...each];
}

function unverifiedLines({ unverified }: SessionReport): ReportLine[] {
  const { last_check: check, changes_since: changes, claims } = unverified;
  if (changes.length === 0 && claims.length === 0 && (check?.exit_code ?? 0) === 0) return [];
  const passed = check?.exit_code === 0;
  const earlier = changes.length - MAX_CHANGES;
  const last: ReportLine =
    check === null
      ? words('no command that looks like a check was run')
      : { literal: check.command, text: `the last check ${passed ? 'passed' : 'failed'}` };
  return [
    words('estimated from words and commands, not a judgement of the work'),
    last,
    ...(earlier > 0 ? [words(`${count(earlier)} earlier changes, all of them with --json`)] : []),
    ...changes
      .slice(-MAX_CHANGES)
      .map((change) => ({ literal: change, text: 'not checked since' })),
    ...claims.map((claim) => words(`claimed: ${claim}`)),
  ];
}

function unknownLines({ unknown_calls }: SessionReport): ReportLine[] {
  return unknown_calls.map(({ tool, summary, agent }) => ({
    literal: `${tool} ${summary}`,
    text: `of ${agent}: it may have happened in full, in part or not at all`,
  }));
}

function errorLines({ model_errors }: SessionReport): ReportLine[] {
  return model_errors.map(({ agent, round, kind, message }) =>
    words(`${agent} round ${round}, ${kind}: ${message}`),
  );
}

function holdLines({ holds }: SessionReport): ReportLine[] {
  return holds.map(({ kind, reason, since, lifted_at, duration_ms, release }) => {
    const span = `${kind}, from ${at(since)} for ${duration(duration_ms)}: ${reason}`;
    return lifted_at === null ? { literal: release, text: `still held: ${span}` } : words(span);
  });
}
