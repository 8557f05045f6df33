/**
 * A guard rail against commands that ruin a machine by accident. It is no sandbox and no permission: a
 * determined writer of commands gets around it. Text inside quotes is not taken for a command unless a
 * shell is going to run it.
 */

/** Where the name of a command can stand, with assignments and a folder in front of it. */
const COMMAND = String.raw`(?:^|[;&|({\n\`]|\b(?:then|do|else|exec|command|nohup|time|env|xargs|eval)\s|["'](?=\w))\s*(?:\w+=\S*\s+)*(?:/\S*/)?`;

const END = String.raw`(?=[\s;&|)"'\n]|$)`;

/** Other words of the same command. */
const WORDS = String.raw`(?:[^\s;&|]+\s+)*`;

const ROOT = String.raw`["']?(?:/\.?\*?|/\*)["']?`;
const HOME = String.raw`["']?(?:~|\$HOME|\$\{HOME\})/?\*?["']?`;

const SYSTEM_FOLDERS = 'etc|usr|boot|sys|proc|bin|sbin|lib|lib64';

const pattern = (source: string): RegExp => new RegExp(source);

const DESTRUCTIVE: readonly (readonly [string, RegExp])[] = [
  ['it changes the user', pattern(`${COMMAND}(?:sudo|su|doas)${END}`)],
  ['it removes /', pattern(`${COMMAND}rm\\s+${WORDS}${ROOT}${END}`)],
  ['it removes the home folder', pattern(`${COMMAND}rm\\s+${WORDS}${HOME}${END}`)],
  ['it writes into a system folder', pattern(`>\\|?\\s*["']?/(?:${SYSTEM_FOLDERS})/`)],
  [
    'it writes into a system folder',
    pattern(`${COMMAND}tee\\s+${WORDS}["']?/(?:${SYSTEM_FOLDERS})/`),
  ],
  [
    'it writes to a device',
    pattern(`>\\|?\\s*["']?/dev/(?!(?:null|stdout|stderr|tty|fd/\\d+)${END})`),
  ],
  ['it makes a file system', pattern(`${COMMAND}mkfs(?:\\.\\w+)?${END}`)],
  ['it writes to a device', pattern(`${COMMAND}dd\\s+${WORDS}of=["']?/dev/(?!null${END})`)],
  ['it starts itself without end', /([\w:]+)\s*\(\s*\)\s*\{\s*\1\s*\|\s*\1\s*&/],
  ['it stops the machine', pattern(`${COMMAND}(?:shutdown|reboot|halt|poweroff)${END}`)],
  ['it stops the machine', pattern(`${COMMAND}(?:init|telinit)\\s+[06]${END}`)],
  [
    'it stops the machine',
    pattern(`${COMMAND}systemctl\\s+${WORDS}(?:reboot|halt|poweroff)${END}`),
  ],
  [
    'it changes the rights of /',
    pattern(`${COMMAND}(?:chmod|chown|chgrp)\\s+${WORDS}${ROOT}${END}`),
  ],
  ['it ends every process', pattern(`${COMMAND}kill\\s+(?:[^\\s;&|]+\\s+)+-1\\s*(?:[;&|)\\n]|$)`)],
];

/** With one of these in it, quoted text may be a command as well. */
const RUNS_TEXT = /\b(?:(?:ba|z|da|k|fi)?sh|eval|xargs|ssh|env|parallel|watch)\b/;

const QUOTED = /'[^']*'|"(?:[^"\\`$]|\\.)*"/g;

/** Why the command is not run; null when the list has nothing against it. */
export function destructive(command: string): string | null {
  const plain = withSingleSpaces(command);
  const text = RUNS_TEXT.test(plain)
    ? plain
    : plain.replace(QUOTED, (quoted) => (/\s/.test(quoted) ? '""' : quoted));
  return DESTRUCTIVE.find(([, form]) => form.test(text))?.[0] ?? null;
}

/** Long runs of blanks would make the patterns slow, and mean nothing. */
const withSingleSpaces = (command: string): string =>
  command.replace(/[^\S\n]+/g, ' ').replace(/\s*\n\s*/g, '\n');
