/** What a turn says at one place of a conversation: its text with all gaps filled, and its calls. */
import type { ChatMessage } from './chat-request.js';
import { renderArguments } from './scenario.js';
import type { ScriptedUsage, Turn } from './scenario.js';
import { render } from './template.js';
import type { Compiled, Scene } from './template.js';

export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly AnsweredCall[];
  readonly usage: ScriptedUsage;
  /** As the server says why it ended; left out: as the calls tell. */
  readonly finish?: string;
}

export interface AnsweredCall {
  readonly id: string;
  readonly name: string;
  /** JSON, unless a fault broke it. */
  readonly argumentsText: string;
}

/** The usual rule of thumb; a scenario that needs exact numbers gives its own. */
const CHARS_PER_TOKEN = 4;

export function answerOf(
  turn: Turn,
  messages: readonly ChatMessage[],
  round: number,
): Compiled<Answer> {
  if (turn.fault?.kind === 'empty') {
    return { ok: true, value: withUsage(turn, messages, { text: '', reasoning: '', calls: [] }) };
  }
  const scene: Scene = { round, resultsOf: (tool) => resultsOf(messages, tool) };
  const missing: string[] = [];
  const said = {
    text: render(turn.text, scene, missing),
    reasoning: render(turn.reasoning, scene, missing),
    calls: turn.calls.map((call, index) => ({
      // The same at every attempt: a conversation that is played again has the same bytes.
      id: call.recorded?.id || `call_${turn.number}_${round}_${index + 1}`,
      name: call.name,
      argumentsText:
        call.recorded?.argumentsText ??
        argumentsText(turn, renderArguments(call.args, scene, missing), index),
    })),
  };
  if (missing.length === 0) {
    return { ok: true, value: withUsage(turn, messages, asFaultHasIt(turn, said)) };
  }
  const message = `turn ${turn.number}: no result so far has what ${missing.join(', ')} asks for`;
  return { ok: false, message: `${message}; a text after || would be used instead` };
}

function resultsOf(messages: readonly ChatMessage[], tool: string): string[] {
  const results: string[] = [];
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message?.role === 'tool' && message.name === tool) results.push(message.text);
  }
  return results;
}

function argumentsText({ fault, calls }: Turn, args: unknown, index: number): string {
  const text = JSON.stringify(args);
  const isLast = index === calls.length - 1;
  if (fault?.kind === 'cut_arguments' && isLast) return text.slice(0, Math.ceil(text.length / 2));
  return fault?.kind === 'bad_json' ? (fault.arguments ?? text.slice(0, -1)) : text;
}

type Said = Omit<Answer, 'usage'>;

function asFaultHasIt({ fault, finish }: Turn, said: Said): Said {
  if (fault?.kind === 'cut_arguments') return { ...said, finish: 'length' };
  if (fault?.kind !== 'text_calls') return finish === undefined ? said : { ...said, finish };
  const written = said.calls.map(({ name, argumentsText }) =>
    inForm(fault.form, `{"name": ${JSON.stringify(name)}, "arguments": ${argumentsText}}`),
  );
  const words = fault.form === 'bare' ? [] : [said.text];
  return { ...said, text: [...words, ...written].join('\n'), calls: [] };
}

function inForm(form: 'tags' | 'fence' | 'bare', call: string): string {
  switch (form) {
    case 'tags':
      return `<tool_call>\n${call}\n</tool_call>`;
    case 'fence':
      return `\`\`\`json\n${call}\n\`\`\``;
    case 'bare':
      return call;
  }
}

function withUsage(turn: Turn, messages: readonly ChatMessage[], said: Said): Answer {
  if (turn.usage !== null) return { ...said, usage: turn.usage };
  const prompt = messages.reduce((sum, message) => sum + message.text.length, 0);
  const completion = said.calls.reduce(
    (sum, call) => sum + call.name.length + call.argumentsText.length,
    said.text.length + said.reasoning.length,
  );
  const tokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);
  return { ...said, usage: { promptTokens: tokens(prompt), completionTokens: tokens(completion) } };
}
