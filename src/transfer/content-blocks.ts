/**
 * What a message of another program consists of: text, thinking, calls, results. Content may be a string or
 * a list of blocks; blocks of kinds that are not known say nothing to a model here. Pictures and documents
 * leave a line that says what they were.
 */
import { isJson, type Json } from './refused.js';

export interface ForeignCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  /** The arguments as text, where they are no JSON object. */
  readonly invalid?: string;
}

export interface ForeignResult {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface Blocks {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ForeignCall[];
  readonly results: readonly ForeignResult[];
}

export function blocksOf(content: unknown): Blocks {
  if (typeof content === 'string') return { text: content, thinking: '', calls: [], results: [] };
  const blocks = Array.isArray(content) ? content.filter(isJson) : [];
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: ForeignCall[] = [];
  const results: ForeignResult[] = [];
  for (const block of blocks) {
    if (block['type'] === 'thinking') thoughts.push(stringOf(block['thinking']));
    else if (block['type'] === 'tool_use') calls.push(callOf(block));
    else if (block['type'] === 'tool_result') results.push(resultOf(block));
    else texts.push(shown(block));
  }
  return {
    text: texts.filter((said) => said !== '').join('\n'),
    thinking: thoughts.filter((thought) => thought !== '').join('\n'),
    calls,
    results,
  };
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function shown(block: Json): string {
  if (block['type'] === 'text') return stringOf(block['text']);
  if (block['type'] !== 'image' && block['type'] !== 'document') return '';
  const source = isJson(block['source']) ? block['source'] : {};
  const what = stringOf(source['media_type']) || 'of an unknown type';
  return `[${block['type']} ${what}: kept in the imported transcript, not shown here]`;
}

/** A name nobody gave could not be sent back to a server. */
const UNNAMED = 'unnamed_tool';

export function callOf(block: Json): ForeignCall {
  const { input } = block;
  const call = { id: stringOf(block['id']), name: stringOf(block['name']) || UNNAMED };
  if (isJson(input)) return { ...call, args: input };
  if (input === undefined || input === null) return { ...call, args: {} };
  return { ...call, args: {}, invalid: typeof input === 'string' ? input : JSON.stringify(input) };
}

function resultOf(block: Json): ForeignResult {
  const id = stringOf(block['tool_use_id']) || stringOf(block['tool_call_id']);
  return { id, text: blocksOf(block['content']).text, isError: block['is_error'] === true };
}
