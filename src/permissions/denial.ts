/** What the model is told when a call is refused: what, by which rule, and what it can do instead. */
import type { Forbidden } from './forbidden.js';
import type { Rule } from './rules.js';

/** A quotation is there to recognise the command by, not to repeat it. */
const MAX_QUOTED = 120;
/** A longer rule is nothing a person would type. */
const MAX_SUGGESTED = 80;

const OTHER_TOOLS =
  'To read or search, use read_file, grep, find_files or list_dir; to change files, use edit_file or write_file.';
const LAST_RESORT = 'go on without it, or submit with outcome "blocked" and name this rule';

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
}

export const unprovenText = (command: string, why: string): string =>
  `Not run: ${quoted(command)} ${why}, so it cannot be judged. Give plain commands, one in each call. ${OTHER_TOOLS} Only --allow 'shell' would let commands of this kind run; a person has to give it.`;

export const notAllowedText = (command: string, program: string, why: string): string =>
  `Not run: ${quoted(command)} — ${program} ${why}, and no rule allows it. ${OTHER_TOOLS} If it is needed, ${LAST_RESORT}; a person can allow it with --allow ${suggestedRule(command, program)}.`;

export const redirectionText = (target: string, why: string): string =>
  `Not run: the redirection to ${quoted(target)} ${why}. Redirect to files inside the workspace, with their names written out, or use write_file.`;

export const toolDeniedText = (tool: string, subject: string): string =>
  `Not run: no rule allows ${tool} for ${quoted(subject)}. If it is needed, ${LAST_RESORT}; a person can allow it with --allow ${tool}.`;

export const inputText = (subject: string): string =>
  `Not written: the process ${quoted(subject.split('\n', 1)[0] ?? '')} runs without a sandbox, and no rule allows input to it. If it is needed, ${LAST_RESORT}; a person can allow it with --allow 'process_write(COMMAND*)', COMMAND being how its command begins.`;

export const protectedText = (tool: string, path: string): string =>
  `Not done: ${quoted(path)} can run code later, so changing it needs a rule. If it is needed, ${LAST_RESORT}; a person can allow it with --allow ${inQuotes(`${tool}(${path})`)}.`;

export const outsideText = (path: string): string =>
  `Not written: ${quoted(path)} is outside the workspace. Write inside the workspace instead.`;

export const planText = (subject: string): string =>
  `Not done: ${quoted(subject)} is more than reading, and the permission mode is plan. Read and search only, and hand in the plan; a person changes the mode.`;

export const deniedByRuleText = (rule: Rule, subject: string): string =>
  `Not done: the rule "deny ${rule.source}" (${placeOf(rule)}) refuses ${quoted(subject)}. Do not look for another way to the same end; ${LAST_RESORT}.`;

export const askedByRuleText = (rule: Rule, subject: string): string =>
  `Not done: the rule "ask ${rule.source}" (${placeOf(rule)}) wants a person to decide about ${quoted(subject)}. Without an answer, ${LAST_RESORT}.`;

export const notExcludedText = (command: string): string =>
  `Not run: what ${quoted(command)} would run is not known before it runs, so it cannot be told whether a rule refuses it. Write the names of programs out.`;

/** `config.toml:12`, `flag --deny`. */
export const placeOf = ({ origin: { from, line } }: Rule): string =>
  line === null ? from : `${from}:${line}`;

export function forbiddenText(rule: Forbidden, subject: string): string {
  const instead = 'This holds in every mode, and no rule changes it.';
  switch (rule) {
    case 'forbidden:ouro':
      return `Not run: ${quoted(subject)} runs ouro, which is a person's to run. ${instead} To finish, use submit; to hand work over, use delegate.`;
    case 'forbidden:ouro-home':
      return `Not run: ${quoted(subject)} reaches into ouro's own folder, which holds its journal and keys. ${instead} Keep your files in the workspace.`;
    case 'forbidden:too-long':
      return `Not run: the command is longer than the system can start. Put the text into a file with write_file and run that.`;
  }
}

function suggestedRule(command: string, program: string): string {
  const rule = command.length > MAX_SUGGESTED ? `shell(${program} *)` : `shell(${command})`;
  return inQuotes(rule);
}

/** As a person would paste it into a shell. */
const inQuotes = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
