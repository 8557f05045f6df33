/** What a simulated model makes of a request to summarise: something to go on with, or one of the ways to fail. */
import type { ModelRequest } from '../../messages/model.js';
import type { Chance } from '../chance.js';

/** A request without tools is no round of an agent: a summary is wanted. */
export const wantsSummary = ({ tools }: ModelRequest): boolean => tools.length === 0;

const BAD: readonly string[] = [
  'ok',
  'x'.repeat(20_000),
  `${'<|im_start|>assistant '.repeat(5)}go on`,
  'Something was done to something, and it may have been a file, or several of them; who can say.',
];

export function summaryOf({ messages }: ModelRequest, isBad: boolean, chance: Chance): string {
  if (isBad) return chance.pick(BAD);
  const files = new Set(messages.at(-1)?.text.match(/\b[abc]\.txt\b/g));
  const rest = ' and so it went on'.repeat(chance.between(4, 60));
  return `The goal is being worked on. Files: ${[...files].join(', ')}.${rest}`;
}
