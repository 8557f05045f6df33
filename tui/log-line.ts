/** One log entry, or one journal row, as one line of text for people. Pure; foreign text comes out sanitised. */
import type { CycleEnd } from '../messages/agents.js';
import type { ActionRequest } from '../messages/actions.js';
import type { Message, ToolCall } from '../messages/conversation.js';
import type { JournalRow, RowBodies } from '../messages/journal.js';
import type { LogEntry } from '../messages/snapshot.js';
import { eventLine, gist, oneLine, type LineLayout, type Mark } from './event-line.js';
import { clock, count, dollars, duration } from './text/amounts.js';
import { reveal } from './text/sanitise.js';
import { answerText, promptOf } from '../messages/questions.js';
import { settingWords } from '../messages/settings-change.js';

type Told = readonly [Mark, string];

function entryTold(entry: LogEntry): Told {
  switch (entry.kind) {
    case 'text':
      return ['said', oneLine(entry.text)];
    case 'reasoning':
      return ['reasoning', oneLine(entry.text)];
    case 'tool':
      return ['call', reveal(entry.text)];
    case 'result':
      return resultTold(entry.status ?? 'ok', entry.text);
    case 'user':
      return ['person', oneLine(entry.text)];
    case 'notice':
      return ['notice', oneLine(entry.text)];
    case 'error':
      return ['error', oneLine(entry.text)];
  }
}

const resultTold = (status: string, text: string): Told =>
  status === 'ok' ? ['ok', gist(text)] : ['failed', `${status}: ${gist(text)}`];

/** One log entry of a snapshot. */
export function entryLine(entry: LogEntry, layout: LineLayout = {}): string {
  const [mark, text] = entryTold(entry);
  return eventLine({ at: entry.at, agent: entry.agent, mark, text }, layout);
}

/** A call as the model wrote it: `read_file {"path":"a.ts"}`. */
const callText = (call: ToolCall): string =>
  reveal(`${call.name} ${call.invalid ?? JSON.stringify(call.args)}`);

function assistantTold(message: Extract<Message, { role: 'assistant' }>): Told | null {
  const calls = message.calls.map(callText).join(', ');
  if (message.text.trim() === '') return calls === '' ? null : ['call', calls];
  const text = oneLine(message.text);
  return ['said', calls === '' ? text : `${text} ▸ ${calls}`];
}

/** Words are told where they were said: the goal and a person's by their own rows, a task by the spawn. */
function messageTold(row: Extract<JournalRow, { kind: 'message.added' }>): Told | null {
  const { message, source } = row.body;
  switch (message.role) {
    case 'assistant':
      return assistantTold(message);
    case 'user':
      if (message.origin === 'harness') return ['notice', oneLine(message.text)];
      if (source !== undefined) return null;
      return message.origin === 'steer' || message.origin === 'queue'
        ? ['person', oneLine(message.text)]
        : null;
    case 'system':
    case 'tool':
      return null;
  }
}

function actionText(action: ActionRequest): string {
  switch (action.do) {
    case 'pause': {
      const until = action.until === null ? '' : ` until ${clock(action.until)}`;
      return `pause${action.now ? ' now' : ''}${until}`;
    }
    case 'send':
      return `${action.mode}: ${oneLine(action.text)}`;
    case 'answer':
      return `answer ${action.question}: ${oneLine(action.text)}`;
    case 'approve':
      return `approve ${action.question} (${action.scope})`;
    case 'deny':
      return `deny ${action.question} ${oneLine(action.reason)}`.trim();
    case 'set':
      return `set ${oneLine(settingWords(action.change))}`;
    case 'resume':
    case 'interrupt':
    case 'stop':
      return action.do;
  }
}

/** How a turn ended, in one line. */
export function endText(end: CycleEnd): string {
  switch (end.status) {
    case 'done':
    case 'partial':
    case 'blocked':
      return `${end.status}: ${gist(end.text)}`;
    case 'round-limit':
      return `reached the limit of ${end.limit} rounds`;
    case 'model-failed':
      return end.error.kind === 'budget'
        ? oneLine(end.error.message)
        : `the model failed: ${oneLine(end.error.message)}`;
    case 'stopped':
      return `stopped: ${oneLine(end.reason)}`;
  }
}

function modelTold(row: Extract<JournalRow, { kind: 'model.outcome' }>, all: boolean): Told | null {
  const { body } = row;
  if (body.status === 'failed') return ['error', oneLine(`model: ${body.error.message}`)];
  if (!all) return null;
  if (body.status !== 'ok') return ['notice', `model request ${body.status}`];
  const tokens = body.usage === null ? '' : `, ${body.usage.completionTokens} tokens`;
  return ['notice', oneLine(`model ${body.model} answered in ${duration(body.ms)}${tokens}`)];
}

const budgeted = ({ usd, tokens }: RowBodies['budget.reserved']): string =>
  `${dollars(usd)}, ${count(tokens)} tokens`;
/** What cannot be undone is for everybody to know. */
function filesTold(
  { changes, notCovered = [] }: Extract<JournalRow, { kind: 'files.changed' }>['body'],
  all: boolean,
): Told | null {
  if (notCovered.length > 0) {
    const places = notCovered.map(({ place, reason }) => `${place} (${reason})`);
    return ['notice', oneLine(`not kept for undo: ${places.join(', ')}`)];
  }
  return all ? ['notice', oneLine(`changed ${changes.map(({ path }) => path).join(', ')}`)] : null;
}

/** `all`: also rows that are bookkeeping only. */
function rowTold(row: JournalRow, all: boolean): Told | null {
  const notice = (text: string): Told => ['notice', oneLine(text)];
  const onlyAll = (text: string): Told | null => (all ? notice(text) : null);
  switch (row.kind) {
    case 'session.started': {
      const { spec } = row.body;
      return notice(`session started in ${spec.workspace} with ${spec.model}`);
    }
    case 'session.resumed':
      return notice('session resumed');
    case 'session.ended':
      return notice(`session ended: ${row.body.status} (${row.body.reason})`);
    case 'session.titled':
      return onlyAll(`title: ${row.body.title ?? 'none'}`);
    case 'question.opened': {
      const { question } = row.body;
      return notice(`${question.id}: ${promptOf(question)}`);
    }
    case 'question.answered':
      return notice(`${row.body.id}: ${answerText(row.body.answer)}`);
    case 'goal.set':
      return ['person', oneLine(`goal: ${row.body.goal}`)];
    case 'message.added':
      return messageTold(row) ?? onlyAll(`${row.body.message.role}: ${row.body.message.text}`);
    case 'model.intent':
      return onlyAll(`asking ${row.body.model}, attempt ${row.body.attempt}`);
    case 'model.outcome':
      return modelTold(row, all);
    case 'model.reset':
      return [
        'error',
        oneLine(
          `attempt ${row.body.attempt} failed: ${row.body.error.message}; ` +
            `again in ${duration(row.body.retryInMs)}`,
        ),
      ];
    case 'budget.reserved':
      return onlyAll(`set aside for ${row.body.model}: ${budgeted(row.body)}`);
    case 'budget.settled':
      return onlyAll(`cost of ${row.body.model}: ${budgeted(row.body)} (${row.body.basis})`);
    case 'tool.intent':
      return onlyAll(`${row.body.name} may ${row.body.effect} (${row.body.callId})`);
    case 'tool.started':
      return onlyAll(`process ${row.body.pid} runs ${row.body.callId}`);
    case 'tool.outcome': {
      const [mark, text] = resultTold(row.body.outcome.status, row.body.outcome.text);
      return [mark, `${oneLine(row.body.name)} ${text}`];
    }
    case 'context.masked':
      return notice(`context: ${row.body.masks.length} old results masked`);
    case 'context.summarised':
      return notice(`context: ${row.body.count} messages summarised`);
    case 'context.refused':
      return ['error', oneLine(`summary not used: ${row.body.reason}`)];
    case 'context.restarted':
      return notice('context: begun anew from the findings');
    case 'context.undone':
      return notice(`context: the compaction of row ${row.body.of} taken back`);
    case 'hold.set': {
      const { kind, reason, release } = row.body.hold;
      return ['hold', oneLine(`held (${kind}): ${reason}; go on with: ${release}`)];
    }
    case 'hold.lifted':
      return notice(`no longer held (${row.body.kind})`);
    case 'todo.set': {
      const open = row.body.todos.filter(({ done }) => !done).length;
      return notice(`todo list: ${open} of ${row.body.todos.length} open`);
    }
    case 'process.started':
      return notice(`background process ${row.body.id}: ${row.body.command}`);
    case 'process.ended':
      return notice(
        `background process ${row.body.id} ended, exit ${row.body.exitCode ?? (row.body.unseen ? 'not known' : 'by us')}`,
      );
    case 'files.changed':
      return filesTold(row.body, all);
    case 'files.undone':
      return notice(`undone: ${row.body.paths.join(', ')}`);
    case 'discovery.added':
      return ['discovery', oneLine(`${row.body.title}: ${row.body.description}`)];
    case 'agent.spawned':
      return notice(`${row.body.parent} started ${row.body.agent}: ${row.body.task.task}`);
    case 'agent.ended':
      return notice(`${row.body.agent} ended ${endText(row.body.end)}`);
    case 'user.action':
      return ['person', actionText(row.body.action)];
    case 'checkpoint':
      return onlyAll(`checkpoint of the rows up to ${row.body.after}`);
  }
}

export interface RowLayout extends LineLayout {
  /** Also rows that are bookkeeping only. */
  readonly verbose?: boolean;
}

/** Null: the row is bookkeeping, or of a kind that a newer program wrote. */
export function rowLine(row: JournalRow, layout: RowLayout = {}): string | null {
  const told = rowTold(row, layout.verbose ?? false);
  if (!told) return null;
  const [mark, text] = told;
  return eventLine({ at: row.ts, agent: row.agent, mark, text }, { date: true, ...layout });
}
