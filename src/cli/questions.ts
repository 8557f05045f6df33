/** `ouro questions`: what waits for a person, in all sessions that run. */
import { shortId } from '../../messages/ids.js';
import { promptOf, type Question } from '../../messages/questions.js';
import { oneLine } from '../../tui/event-line.js';
import { duration } from '../../tui/text/amounts.js';
import { reach } from './ask-session.js';
import { listSessions, type StandingSession } from './liveness.js';
import type { VerbContext } from './verb-context.js';
import { EXIT_DONE, runVerb } from './verb-output.js';

export interface QuestionsOptions {
  readonly json?: boolean | undefined;
}

interface Asked {
  readonly session: StandingSession;
  readonly question: Question;
}

export const questions = (options: QuestionsOptions, context: VerbContext): Promise<number> =>
  runVerb(context, options, async (output) => {
    const live = listSessions(context, {}).filter((session) => session.live);
    const open = (await Promise.all(live.map(openQuestions))).flat();
    if (open.length === 0) output.line('no question is open');
    for (const asked of open) output.line(describe(asked, context.now()));
    output.data({
      ok: true,
      questions: open.map(({ session, question }) => ({ session: session.id, ...question })),
    });
    return EXIT_DONE;
  });

/** None of a session that does not answer: `ouro ls` shows that it is there. */
export async function openQuestions(session: StandingSession): Promise<Asked[]> {
  const reached = await reach(session);
  if (!reached.ok) return [];
  const { client } = reached;
  try {
    const reply = await client.request({ do: 'status' });
    const snapshot =
      reply.ok && reply.data !== null && 'questions' in reply.data ? reply.data : null;
    return (snapshot?.questions ?? []).map((question) => ({ session, question }));
  } finally {
    client.close();
  }
}

function describe({ session, question }: Asked, now: number): string {
  const address = `${shortId(session.id)}/${question.id}`;
  const { agent, body, since, until } = question;
  const left = until === null ? '' : `, ${duration(Math.max(0, until - now))} left`;
  const lines = [
    `${address}  ${agent}, asked ${duration(now - since)} ago${left}: ${oneLine(promptOf(question))}`,
  ];
  if (body.kind === 'choice') {
    lines.push(...body.choices.map((choice, i) => `  ${i + 1}. ${oneLine(choice)}`));
    lines.push(`  ouro answer ${address} ${body.choices.length > 0 ? 'N' : 'TEXT'}`);
  } else {
    lines.push(
      `  rule: ${oneLine(body.rule)}`,
      `  ouro approve ${address}   ouro deny ${address} REASON`,
    );
  }
  return lines.join('\n');
}
