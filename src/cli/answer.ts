/** `ouro answer`, `approve` and `deny`: one person's answer to one question. */
import type { ControlArgs } from '../../messages/control.js';
import { ask, report } from './ask-session.js';
import { selectSession } from './select-session.js';
import type { VerbContext } from './verb-context.js';
import { runVerb, usage, type VerbFailure } from './verb-output.js';

type Answering = Extract<ControlArgs, { do: 'answer' | 'approve' | 'deny' }>;

export interface AnswerOptions {
  /** `ID/q3`, or `q3` in this workspace. */
  readonly question: string;
  readonly json?: boolean | undefined;
}

export const answer = (
  options: AnswerOptions & { readonly text: string; readonly edit?: string | undefined },
  context: VerbContext,
): Promise<number> =>
  settle(
    options,
    (question) => ({ do: 'answer', args: { question, text: options.text, ...editing(options) } }),
    context,
  );

/** What is no number is refused by the session, which says what was expected. */
const editing = ({ edit }: { readonly edit?: string | undefined }): { readonly edits?: number } =>
  edit === undefined ? {} : { edits: Number(edit) };

export const approve = (
  options: AnswerOptions & { readonly session?: boolean | undefined },
  context: VerbContext,
): Promise<number> =>
  settle(
    options,
    (question) => ({
      do: 'approve',
      args: { question, scope: options.session === true ? 'session' : 'once' },
    }),
    context,
  );

export const deny = (
  options: AnswerOptions & { readonly reason: string },
  context: VerbContext,
): Promise<number> =>
  settle(
    options,
    (question) => ({ do: 'deny', args: { question, reason: options.reason } }),
    context,
  );

const settle = (
  options: AnswerOptions,
  argsOf: (question: string) => Answering,
  context: VerbContext,
): Promise<number> =>
  runVerb(context, options, async (output) => {
    const address = parse(options.question);
    if ('code' in address) return output.fail(address);
    const selected = selectSession({ id: address.session, fitting: 'live' }, context);
    if (!selected.ok) return output.fail(selected.failure);
    return report(output, [await ask(selected.session, argsOf(address.question))]);
  });

function parse(text: string): { session: string | undefined; question: string } | VerbFailure {
  const [, session, question] = /^(?:(.+)\/)?(q[1-9]\d*)$/.exec(text.trim()) ?? [];
  if (question === undefined) {
    return usage(`"${text}" names no question: say ID/q3, or q3 for the session of this folder`);
  }
  return { session, question };
}
