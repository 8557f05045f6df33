/**
 * The files that calls are about, by what the calls themselves say. Results do not count: a search lists files
 * that nobody works on, and a result that was masked would say something else than before.
 */
import type { AssistantMessage, ToolCall } from '../../messages/conversation.js';

/** Arguments that name a file or folder, in our tools and in most others. */
const PATH_ARGUMENTS: readonly string[] = ['path', 'paths', 'file', 'file_path', 'filename'];

/** Of a command so much is looked at; what follows is usually text that it writes. */
const COMMAND_CHARS = 1_000;

/** The workspace itself says nothing of what is worked on in it. */
const NOWHERE: readonly string[] = ['', '.', '..', '/'];

/** What stands between the words of a command. */
const BETWEEN_WORDS = /[\s'"`;|&()<>=,$]+/;

/** With a folder in front or an ending behind it; options and addresses are no files. */
const FILE_WORD =
  /^(?!-)(?![a-z]+:\/\/)(?:[\w.@~+-]*\/[\w.@~+/-]*\w|[\w@+-][\w.@+-]*\.[a-z]\w{0,5})$/i;

/** Each one once, in the order in which they are named. */
export const filesNamedBy = ({ calls }: AssistantMessage): readonly string[] => [
  ...new Set(
    calls
      .flatMap(filesOf)
      .map(plain)
      .filter((path) => !NOWHERE.includes(path)),
  ),
];

function filesOf({ args }: ToolCall): readonly string[] {
  if (typeof args !== 'object' || args === null) return [];
  return Object.entries(args as Readonly<Record<string, unknown>>).flatMap(([key, value]) => {
    if (PATH_ARGUMENTS.includes(key)) return [value].flat().filter(isText);
    return key === 'command' && isText(value) ? filesIn(value) : [];
  });
}

const filesIn = (command: string): readonly string[] =>
  command
    .slice(0, COMMAND_CHARS)
    .split(BETWEEN_WORDS)
    .filter((word) => FILE_WORD.test(word) && !word.startsWith('/dev/'));

const isText = (value: unknown): value is string => typeof value === 'string';

/** The same file under one name: `./src/a.ts`, `src/a.ts`; a folder without its slash. */
const plain = (path: string): string => path.replace(/^(?:\.\/)+/, '').replace(/(?<=.)\/+$/, '');
