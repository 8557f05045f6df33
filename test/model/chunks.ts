/** Chunks of a chat-completions stream, built from the parts that servers disagree on. */

export const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});

export const said = (content: string | null, finish: string | null = null) =>
  delta({ content }, finish);

export interface CallPiece {
  readonly id?: string | null;
  readonly index?: number;
  readonly name?: string | null;
  readonly args?: unknown;
}

const callOf = ({ id, index, name, args }: CallPiece) => ({
  ...(id === undefined ? {} : { id }),
  ...(index === undefined ? {} : { index }),
  type: 'function',
  function: {
    ...(name === undefined ? {} : { name }),
    ...(args === undefined ? {} : { arguments: args }),
  },
});

export const pieces = (...calls: readonly CallPiece[]) => delta({ tool_calls: calls.map(callOf) });

export const FINISHED = delta({}, 'tool_calls');

export const streamOf = (...chunks: readonly unknown[]): string =>
  chunks
    .map((chunk) => (typeof chunk === 'string' ? chunk : `data: ${JSON.stringify(chunk)}\n\n`))
    .join('');

export const DONE = 'data: [DONE]\n\n';
