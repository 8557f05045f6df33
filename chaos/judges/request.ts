/** Reads a chat-completions request as the strictest server would, and keeps what it shows of the session. */

export interface JudgedRequest {
  /** [] for one that every server takes. */
  readonly problems: readonly string[];
  /** Calls whose results it holds. */
  readonly answered: readonly string[];
  /** It asks for a summary of a conversation rather than for the next step of one. */
  readonly isSummary: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const ROLES: readonly unknown[] = ['system', 'user', 'assistant', 'tool'];

export function judgeRequest(body: string): JudgedRequest {
  const request = parsed(body);
  const list = request?.['messages'];
  if (request === null || !Array.isArray(list) || list.length === 0) {
    return { problems: ['it is no JSON object with messages'], answered: [], isSummary: false };
  }
  const messages = list.map((each: unknown) => fieldsOf(each) ?? {});
  const results = messages.filter(({ role }) => role === 'tool');
  return {
    problems: [...shapeProblems(messages), ...pairProblems(messages)],
    answered: results.map((result) => String(result['tool_call_id'])),
    isSummary: textOf(messages[1]).includes('<history>'),
  };
}

function shapeProblems(messages: readonly Fields[]): string[] {
  const problems = messages.flatMap(({ role, content }, at) => [
    ...(ROLES.includes(role) ? [] : [`message ${at} has the role ${String(role)}`]),
    ...((role === 'system') === (at === 0)
      ? []
      : [`message ${at} of ${String(role)} is misplaced`]),
    ...(role === 'assistant' || typeof content === 'string' || Array.isArray(content)
      ? []
      : [`message ${at} has no content`]),
  ]);
  const last = messages.at(-1)?.['role'];
  return last === 'assistant' ? [...problems, 'it ends with an answer'] : problems;
}

/** Behind an answer stand the results of its calls, one for each, in the order of the calls. */
function pairProblems(messages: readonly Fields[]): string[] {
  const problems: string[] = [];
  const seen = new Set<unknown>();
  let waiting: readonly unknown[] = [];
  for (const [at, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      const [next, ...rest] = waiting;
      const id = message['tool_call_id'];
      if (next !== id) problems.push(`message ${at} is a result of ${String(id)}, out of place`);
      waiting = next === id ? rest : waiting.filter((each) => each !== id);
      continue;
    }
    problems.push(...waiting.map((id) => `${String(id)} has no result before message ${at}`));
    waiting = callsOf(message).map(({ id }) => id);
    for (const { id, args } of callsOf(message)) {
      if (typeof id !== 'string' || id === '') problems.push(`a call in message ${at} has no id`);
      if (seen.has(id)) problems.push(`${String(id)} is used for two calls`);
      if (parsed(String(args)) === null)
        problems.push(`the arguments of ${String(id)} are no JSON`);
      seen.add(id);
    }
  }
  return [...problems, ...waiting.map((id) => `${String(id)} has no result at the end`)];
}

function callsOf(message: Fields): readonly { readonly id: unknown; readonly args: unknown }[] {
  const calls = message['tool_calls'];
  if (!Array.isArray(calls)) return [];
  return calls.map((call: unknown) => ({
    id: fieldsOf(call)?.['id'],
    args: fieldsOf(fieldsOf(call)?.['function'])?.['arguments'],
  }));
}

const textOf = (message: Fields | undefined): string =>
  typeof message?.['content'] === 'string' ? message['content'] : '';

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

/** Null: not the JSON of an object. */
function parsed(text: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
}
