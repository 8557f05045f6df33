/** `ouro send`: words to the agent, before its next request or, with `--queue`, after its turn. */
import { ask, report } from './ask-session.js';
import { selectSession } from './select-session.js';
import { runVerb, usage } from './verb-output.js';
import type { VerbContext } from './verb-context.js';

export interface SendOptions {
  /** As typed: `TEXT`, or `ID TEXT`. */
  readonly words: readonly string[];
  readonly queue?: boolean | undefined;
  readonly json?: boolean | undefined;
}

export const send = (options: SendOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const { words, queue = false } = options;
    const [id, text] = words.length === 1 ? [undefined, words[0]] : words;
    if (text === undefined || text.trim() === '' || words.length > 2) {
      return output.fail(usage('say what to send, in quotes: ouro send [ID] "TEXT"'));
    }
    const selected = selectSession({ id, fitting: 'live' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    const args = { text, mode: queue ? 'queue' : 'steer' } as const;
    return report(output, [await ask(selected.session, { do: 'send', args })]);
  });
