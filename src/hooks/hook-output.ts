/** What a hook has answered: its exit code, and a JSON object on stdout where it has more to say. Pure. */
import { canBlock, type HookEvent } from '../../messages/hooks.js';

export interface HookOutput {
  readonly exitCode: number;
  readonly stdout: string;
  /** Bytes beyond the limit were thrown away, so that what is left is no JSON any more. */
  readonly isCut: boolean;
  readonly stderr: string;
}

export type HookAnswer =
  | {
      readonly kind: 'go';
      /** What takes the place of the call's arguments; undefined: they stay. */
      readonly input: unknown;
      readonly message: string | null;
    }
  | { readonly kind: 'block'; readonly reason: string }
  | { readonly kind: 'failed'; readonly why: string };

/** As with other agents' hooks: this one blocks, any other but 0 is a failure of the hook. */
const BLOCKS = 2;

const NO_REASON = 'it gave no reason';

export function readAnswer(event: HookEvent, output: HookOutput): HookAnswer {
  const { exitCode, stdout, stderr } = output;
  const said = stderr.trim();
  if (exitCode === BLOCKS && canBlock(event)) return { kind: 'block', reason: said || NO_REASON };
  if (exitCode !== 0) {
    return failed(`it ended with exit code ${exitCode}${said === '' ? '' : `: ${said}`}`);
  }
  const text = stdout.trim();
  // Words for people are no answer: most programs print some.
  if (!text.startsWith('{')) return NOTHING;
  if (output.isCut) return failed('it printed too much');
  try {
    return answerIn(event, JSON.parse(text) as Readonly<Record<string, unknown>>);
  } catch {
    return failed('what it printed begins like a JSON object and is none');
  }
}

const NOTHING: HookAnswer = { kind: 'go', input: undefined, message: null };

const failed = (why: string): HookAnswer => ({ kind: 'failed', why });

function answerIn(event: HookEvent, answer: Readonly<Record<string, unknown>>): HookAnswer {
  // `reason` is what other agents' hooks call it.
  const { decision, input, message = answer['reason'] } = answer;
  if (message !== undefined && typeof message !== 'string') return failed('message is no text');
  switch (decision) {
    case 'block':
      if (!canBlock(event)) return failed(`${event} has nothing to block`);
      return { kind: 'block', reason: message?.trim() || NO_REASON };
    // What the rules refuse stays refused: there is nothing that it could allow.
    case undefined:
    case 'allow':
      break;
    default:
      return failed(`decision is ${JSON.stringify(decision)}, expected "block" or "allow"`);
  }
  if (input !== undefined && event !== 'PreToolUse') return failed(`${event} has no input`);
  if (input !== undefined && !isObject(input)) return failed('input is no JSON object');
  const text = message?.trim() ?? '';
  return { kind: 'go', input, message: text === '' ? null : text };
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
