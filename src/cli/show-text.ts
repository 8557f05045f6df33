/** A round in words: the request, the answer, and each call with what became of it and by which rule. */
import type { Message } from '../../messages/conversation.js';
import { gist } from '../../tui/event-line.js';
import { count, dollars, duration, plural, stamp } from '../../tui/text/amounts.js';
import { reveal, sanitise } from '../../tui/text/sanitise.js';
import type { AttemptRecord, CallRecord } from '../replay/round-record.js';
import type { FoundRound } from '../session-round.js';

export interface ShowLayout {
  /** All messages of the request, as they are. */
  readonly request: boolean;
  /** Results as they are, not just their first line. */
  readonly whole: boolean;
}

const indented = (text: string): string => text.replaceAll(/^/gm, '  ');

export function roundText(found: FoundRound, layout: ShowLayout): string {
  const { record } = found;
  return [
    `${record.agent} round ${record.round}`,
    '',
    ...requestText(found, layout.request),
    '',
    ...answerText(found),
    ...record.calls.flatMap((call) => ['', ...callText(call, layout.whole)]),
  ].join('\n');
}

function requestText({ record, request }: FoundRound, all: boolean): string[] {
  const { messages, isWhole } = request;
  const { tools } = record;
  const shown = all ? messages : messages.slice(-1);
  const earlier = messages.length - shown.length;
  return [
    'Request',
    ...record.attempts.map((attempt) => indented(attemptText(attempt))),
    indented(`tools: ${tools === null ? 'the journal does not say' : reveal(tools.join(', '))}`),
    ...(isWhole ? [] : [indented('the messages could not be rebuilt exactly as they were sent')]),
    ...(earlier === 0 ? [] : [indented(`${plural(earlier, 'earlier message')}: --request`)]),
    ...shown.map((message) => indented(messageText(message, all))),
  ];
}

function attemptText(attempt: AttemptRecord): string {
  const { model, messages, status, duration_ms, error, retry_in_ms } = attempt;
  const took = duration_ms === null ? '' : ` after ${duration(duration_ms)}`;
  const why = error === null ? '' : `: ${error.kind}, ${error.message}`;
  const again = retry_in_ms === null ? '' : `; again in ${duration(retry_in_ms)}`;
  const at = stamp(Date.parse(attempt.asked_at));
  return reveal(
    `attempt ${attempt.attempt} at ${at}: ${plural(messages, 'message')} to ${model}, ${status}${took}${why}${again}`,
  );
}

function messageText(message: Message, whole: boolean): string {
  const text = whole ? sanitise(message.text) : gist(message.text);
  switch (message.role) {
    case 'system':
      return `[system] ${text}`;
    case 'user':
      return `[user, ${message.origin}] ${text}`;
    case 'assistant': {
      const calls = message.calls.map(({ id, name, args }) =>
        reveal(`▸ ${id} ${name} ${JSON.stringify(args)}`),
      );
      return ['[assistant]', text, ...calls].filter((line) => line !== '').join('\n');
    }
    case 'tool':
      return reveal(`[tool ${message.name}, ${message.callId}]`) + ` ${text}`;
  }
}

function answerText({ record, costUsd }: FoundRound): string[] {
  const { answer } = record;
  if (answer === null) return ['Answer', indented('there is none')];
  const { model, duration_ms, usage, finish, reasoning, text } = answer;
  const tokens =
    usage === null
      ? 'tokens unknown'
      : `${count(usage.promptTokens)} tokens in (${count(usage.cachedTokens)} cached), ` +
        `${count(usage.completionTokens)} out`;
  return [
    'Answer',
    indented(
      reveal(
        `${model} after ${duration(duration_ms)}, ${tokens}, cost ${dollars(costUsd)}, finish ${finish}`,
      ),
    ),
    ...(reasoning === '' ? [] : [indented(`[reasoning] ${sanitise(reasoning)}`)]),
    ...(text === '' ? [] : [indented(sanitise(text))]),
  ];
}

function callText(call: CallRecord, whole: boolean): string[] {
  const { question, rule } = call;
  const answer = question === null ? '' : (question.answer ?? 'not answered yet');
  return [
    reveal(`Call ${call.call_id}: ${call.name}`),
    indented(reveal(JSON.stringify(call.args))),
    ...(call.sent === null ? [] : [indented(`as the model wrote it: ${reveal(call.sent)}`)]),
    indented(endText(call)),
    ...(rule === null ? [] : [indented(`rule: ${reveal(rule)}`)]),
    ...(question === null
      ? []
      : [indented(`${question.id}: ${reveal(question.prompt)} ${reveal(answer)}`)]),
    ...(call.text === '' ? [] : [indented(whole ? sanitise(call.text) : gist(call.text))]),
  ];
}

function endText({ status, duration_ms, effect, cached, pid }: CallRecord): string {
  const took = duration_ms === null ? '' : ` after ${duration(duration_ms)}`;
  const from = cached ? ', from memory' : '';
  const may = effect === null ? ', never begun' : `, effect ${effect}`;
  const process = pid === null ? '' : `, process ${pid}`;
  return `${status}${took}${from}${cached && effect === null ? '' : may}${process}`;
}
