/**
 * Judges what is written to the input of a process that runs already. The process may be a shell, so what is
 * forbidden or refused as a command is so as input too. Inside the sandbox it can do no more than a command
 * there; outside, only a person or a rule for `process_write` lets it through: that its command was allowed
 * says nothing of what it is told afterwards. Rules see the command, on one line, and the text on the next.
 */
import type { PermissionRequest } from '../../actors/ports.js';
import {
  askedByRuleText,
  deniedByRuleText,
  forbiddenText,
  inputText,
  notExcludedText,
  planText,
} from './denial.js';
import { forbiddenInCommand } from './forbidden.js';
import type { Ground } from './ground.js';
import { looseCommands } from './loose-words.js';
import { namedPaths } from './named-paths.js';
import { realPathOf } from './real-path.js';
import { allow, ask, builtIn, byRule, deny, type Ruling } from './ruling.js';
import { SHELL_TOOL } from './rules.js';

export const INPUT_TOOL = 'process_write';

export function judgeInput({ subject, cwd }: PermissionRequest, ground: Ground): Ruling {
  const { mode, book, home, sandboxed } = ground;
  const text = subject.slice(subject.indexOf('\n') + 1);
  const commands = looseCommands(text);
  const named = namedPaths(commands, realPathOf(cwd, '/') ?? cwd);
  const forbidden = forbiddenInCommand(text, commands, named, home);
  if (forbidden !== null)
    return deny('forbidden', builtIn(forbidden), forbiddenText(forbidden, text));
  // A pattern is kept without `./` in front, as of a path.
  const names = [subject, subject.replace(/^(\.\/)+/, '')];
  const ruleOf = (kind: 'deny' | 'ask') =>
    book.forSubject(kind, INPUT_TOOL, names) ?? book.forReached(kind, text.trim(), commands);
  const refusing = ruleOf('deny');
  if (refusing !== undefined)
    return deny('dangerous', byRule(refusing), deniedByRuleText(refusing, text));
  if (mode === 'bypass') return allow('execute', builtIn('bypass'));
  if (mode === 'plan') return deny('execute', builtIn('plan'), planText(text));
  const approved = book.approvedSubject(INPUT_TOOL, [subject.trim()]);
  if (approved !== undefined) return allow('execute', byRule(approved));
  const asking = ruleOf('ask');
  if (asking !== undefined) return ask('execute', byRule(asking), askedByRuleText(asking, text));
  const rule = book.forSubject('allow', INPUT_TOOL, names);
  if (rule !== undefined) return allow('execute', byRule(rule));
  if (!sandboxed) return ask('execute', builtIn('no-rule'), inputText(subject));
  // What a program makes of its input is not known, so none of it may be what a rule refuses.
  const isLimited = (['deny', 'ask'] as const).some((kind) =>
    book.hasPatternsFor(kind, SHELL_TOOL),
  );
  return isLimited
    ? ask('execute', builtIn('unproven'), notExcludedText(text))
    : allow('execute', builtIn('sandbox'));
}
