/** Calls as the deltas of a stream, in the shapes that different servers give them. */
import type { AnsweredCall } from './answer.js';
import type { Fault } from './fault.js';

interface CallDelta {
  readonly index?: number;
  readonly id?: string;
  readonly type?: 'function';
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

/** Characters of the arguments in one delta, about what servers send. */
const PIECE_CHARS = 24;

export function callDeltas(
  calls: readonly AnsweredCall[],
  fault: Fault | null,
): readonly CallDelta[] {
  return calls.flatMap((call, position) => {
    const deltas = deltasOf(call, fault);
    if (fault?.kind === 'no_index') return deltas;
    const index = fault?.kind === 'same_index' ? 0 : position;
    return deltas.map((delta) => ({ index, ...delta }));
  });
}

function deltasOf(call: AnsweredCall, fault: Fault | null): readonly CallDelta[] {
  const { id, name, argumentsText } = call;
  switch (fault?.kind) {
    case 'whole_arguments':
      return [{ id, type: 'function', function: { name, arguments: argumentsText } }];
    case 'split_arguments':
      return [opening(call), ...split(argumentsText, 1)];
    case 'late_ids':
      return withOddIds(call, fault.ids);
    default:
      return [opening(call), ...split(argumentsText, PIECE_CHARS)];
  }
}

const opening = ({ id, name }: AnsweredCall): CallDelta => ({
  id,
  type: 'function',
  function: { name, arguments: '' },
});

function withOddIds(
  call: AnsweredCall,
  ids: Extract<Fault, { kind: 'late_ids' }>['ids'],
): readonly CallDelta[] {
  const { id, name } = call;
  const parts = split(call.argumentsText, PIECE_CHARS);
  switch (ids) {
    case 'late':
      return [
        { type: 'function', function: { arguments: '' } },
        { id, function: { arguments: '' } },
        { function: { name } },
        ...parts,
      ];
    case 'repeated':
      return [
        opening(call),
        ...parts.map((part) => ({ id, function: { name, ...part.function } })),
      ];
    case 'changing':
      return [opening(call), ...parts.map((part, index) => ({ id: `${id}_${index}`, ...part }))];
    case 'absent':
      return [{ type: 'function', function: { name, arguments: '' } }, ...parts];
  }
}

/** By code point: half of a surrogate pair is not text, and no server sends it. */
function split(text: string, size: number): readonly CallDelta[] {
  const characters = Array.from(text);
  const deltas: CallDelta[] = [];
  for (let start = 0; start < characters.length; start += size) {
    const piece = characters.slice(start, start + size).join('');
    deltas.push({ function: { arguments: piece } });
  }
  return deltas;
}
