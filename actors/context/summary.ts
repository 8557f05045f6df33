/**
 * Turns the middle of a conversation into a summary: the text a model is given to condense, what its answer
 * must fulfil, and the messages that take the place of the condensed ones. A person's own words are carried
 * over word for word. The summary stands as the agent's own words: text that came from tools never rises to
 * the role of a person.
 */
import type { WorkRecord } from '../../messages/context.js';
import type { Message, UserMessage } from '../../messages/conversation.js';
import { withoutGuide } from '../../messages/tool-guides.js';
import { SUMMARY_MARK } from './zones.js';

/** Of each result so much is read by the summariser; the beginning says what it is, the end how it ended. */
const RESULT_HEAD_CHARS = 1_200;
const RESULT_TAIL_CHARS = 400;

/** A summary below this says nothing. */
const MIN_SUMMARY_CHARS = 80;
/** And above this it is none. */
const MAX_SUMMARY_CHARS = 16_000;

/** Of so many files changed last, half at least must be named. */
const CHECKED_FILES = 10;

/** Words that are not the person's own: the program's notices. */
export const isOwnWords = (message: Message): message is UserMessage =>
  message.role === 'user' && message.origin !== 'harness';

export const keptWords = (messages: readonly Message[]): readonly UserMessage[] =>
  messages.filter(isOwnWords);

/** One message as text. */
export function described(message: Message): string {
  switch (message.role) {
    case 'system':
      return '';
    case 'user':
      return `<said by="${message.origin === 'harness' ? 'program' : 'person'}">\n${message.text}\n</said>\n`;
    case 'assistant': {
      const { text, calls: asked } = message;
      if (text.startsWith(SUMMARY_MARK)) return `${text}\n`;
      const calls = asked.map(({ name, args }) => `call ${name} ${JSON.stringify(args)}`);
      return `<agent>\n${[text, ...calls].filter((line) => line !== '').join('\n')}\n</agent>\n`;
    }
    case 'tool':
      return `<result of="${message.name}">\n${ends(withoutGuide(message.text))}\n</result>\n`;
  }
}

function ends(text: string): string {
  if (text.length <= RESULT_HEAD_CHARS + RESULT_TAIL_CHARS) return text;
  const left = text.length - RESULT_HEAD_CHARS - RESULT_TAIL_CHARS;
  const tail = text.slice(-RESULT_TAIL_CHARS);
  return `${text.slice(0, RESULT_HEAD_CHARS)}\n… ${left} characters left out …\n${tail}`;
}

/** What is wrong with a summary; null: it may be used. */
export function faultOf(summary: string, record: WorkRecord, sourceChars: number): string | null {
  const text = summary.trim();
  if (text.length < MIN_SUMMARY_CHARS) return 'it is empty or says next to nothing';
  if (text.length > MAX_SUMMARY_CHARS) return 'it is too long';
  if (text.length > sourceChars) return 'it is longer than what it summarises';
  if (/<\|im_|<tool_call|\[INST\]|<\/?context_summary/i.test(text)) return 'it holds chat markup';
  const files = record.changed.slice(-CHECKED_FILES);
  const named = files.filter((path) => text.includes(path.split('/').at(-1) ?? path));
  if (named.length * 2 < files.length) return 'it leaves out files that were changed';
  return null;
}

/** Said wherever messages were left out: nothing of them is out of reach. */
export const EARLIER_CALLS =
  'Whole results of earlier calls: read_output id=AGENT_ROUND_POSITION. ' +
  'Details that are not here: read_output search=WORDS looks through all earlier calls and results.';

/** What takes the place of the condensed messages. */
export function summaryMessages(
  summary: string,
  record: WorkRecord,
  words: readonly UserMessage[],
): readonly Message[] {
  const text = [
    '<context_summary>',
    summary.trim(),
    ...linesOf(record),
    EARLIER_CALLS,
    ...(words.length === 0 ? [] : [WORDS_FOLLOW]),
    '</context_summary>',
  ].join('\n');
  const goOn: UserMessage = { role: 'user', origin: 'harness', text: GO_ON };
  return [{ role: 'assistant', text, calls: [] }, ...(words.length === 0 ? [goOn] : words)];
}

const WORDS_FOLLOW =
  'What the person said in those rounds follows, word for word; it was read then.';
const GO_ON = 'Earlier rounds are summarised above. Go on with the goal.';

export function linesOf(record: WorkRecord): string[] {
  const list = (title: string, entries: readonly string[]): string[] =>
    entries.length === 0 ? [] : [`${title}:`, ...entries.map((entry) => `- ${entry}`)];
  return [
    ...list('Files changed', record.changed),
    ...list('Files read', record.read),
    ...list('Commands run', record.commands),
    ...list('Errors met, by call', record.errors),
    ...list('Answers of the person', record.answers),
  ];
}
