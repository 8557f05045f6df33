/**
 * Decides whether a call may run. In order: what is forbidden in every mode; what the mode or a rule allows
 * as a whole; what is proven harmless or named by a rule, part by part. Whatever is left is refused.
 */
import { relative, resolve } from 'node:path';
import type { PermissionJudge, PermissionRequest, Verdict } from '../../actors/ports.js';
import {
  forbiddenText,
  notAllowedText,
  outsideText,
  protectedText,
  toolDeniedText,
  unprovenText,
} from './denial.js';
import { forbiddenInCommand, forbiddenPath, type Home } from './forbidden.js';
import { parsePlainCommands, type PlainCommand } from './plain-command.js';
import { isProtected } from './protected-files.js';
import { proveReadOnly, type Bounds } from './read-only.js';
import { isInside, realPathOf } from './real-path.js';
import { matchesCommand, matchesPath, parseRule, SHELL_TOOL, type AllowRule } from './rules.js';

export interface JudgeOptions {
  readonly mode: 'default' | 'bypass';
  /** Rules such as `shell(npm test*)`, `write_file(.git/**)`, `shell`. */
  readonly allow: readonly string[];
  readonly workspace: string;
  readonly ouroHome: string;
}

type CreatedJudge =
  | { readonly ok: true; readonly judge: PermissionJudge }
  | { readonly ok: false; readonly message: string };

interface Ground {
  readonly mode: JudgeOptions['mode'];
  readonly rules: readonly AllowRule[];
  readonly home: Home;
  readonly bounds: Bounds;
}

export function createJudge(options: JudgeOptions): CreatedJudge {
  const rules: AllowRule[] = [];
  for (const source of options.allow) {
    const rule = parseRule(source);
    if (rule === null) return { ok: false, message: notARule(source) };
    rules.push(rule);
  }
  const home = { named: resolve(options.ouroHome), real: realOf(options.ouroHome) };
  const bounds = { workspace: realOf(options.workspace), ouroHome: home.real };
  const ground = { mode: options.mode, rules, home, bounds };
  return { ok: true, judge: { judge: (request) => judge(request, ground) } };
}

const notARule = (source: string): string =>
  `${JSON.stringify(source)} is not a rule; a rule is a tool, or a tool and a pattern: shell, 'shell(npm test*)', 'write_file(.git/**)'`;

const realOf = (path: string): string => realPathOf(path, process.cwd()) ?? path;

const allowed = (rule: string): Verdict => ({ allowed: true, rule });
const denied = (rule: string, text: string): Verdict => ({ allowed: false, rule, text });

function judge(request: PermissionRequest, ground: Ground): Verdict {
  switch (request.effect) {
    case 'none':
      return allowed('read');
    case 'read':
      return judgeRead(request, ground);
    case 'write':
      return judgeWrite(request, ground);
    case 'execute':
      return request.tool === SHELL_TOOL
        ? judgeCommand(request, ground)
        : judgeOther(request, ground);
  }
}

function judgeRead({ subject }: PermissionRequest, { home, bounds }: Ground): Verdict {
  const forbidden = forbiddenPath(subject, bounds.workspace, home);
  return forbidden === null
    ? allowed('read')
    : denied(forbidden, forbiddenText(forbidden, subject));
}

function judgeWrite({ tool, subject }: PermissionRequest, ground: Ground): Verdict {
  const { workspace } = ground.bounds;
  const forbidden = forbiddenPath(subject, workspace, ground.home);
  if (forbidden !== null) return denied(forbidden, forbiddenText(forbidden, subject));
  if (ground.mode === 'bypass') return allowed('bypass');
  const real = realPathOf(subject, workspace);
  if (real === null || !isInside(real, workspace))
    return denied('outside-workspace', outsideText(subject));
  // A link can give a protected file another name, and another file a protected name.
  const path = relative(workspace, real);
  if (!isProtected(path) && !isProtected(subject)) return allowed('write-in-workspace');
  const rule = ground.rules.find((candidate) => matchesPath(candidate, tool, path));
  return rule === undefined
    ? denied('protected-file', protectedText(tool, path))
    : allowed(rule.source);
}

function judgeOther({ tool, subject }: PermissionRequest, { mode, rules }: Ground): Verdict {
  if (mode === 'bypass') return allowed('bypass');
  const rule = rules.find((candidate) => matchesPath(candidate, tool, subject));
  return rule === undefined
    ? denied('no-rule', toolDeniedText(tool, subject))
    : allowed(rule.source);
}

function judgeCommand(request: PermissionRequest, ground: Ground): Verdict {
  const subject = request.subject;
  const cwd = realOf(request.cwd);
  const forbidden = forbiddenInCommand(subject, cwd, ground.home);
  if (forbidden !== null) return denied(forbidden, forbiddenText(forbidden, subject));
  if (ground.mode === 'bypass') return allowed('bypass');
  const everything = ground.rules.find((rule) => rule.tool === SHELL_TOOL && rule.pattern === null);
  if (everything !== undefined) return allowed(everything.source);
  const parsed = parsePlainCommands(subject);
  if (!parsed.ok) return denied('unproven', unprovenText(subject, parsed.why));
  return judgeParts(parsed.commands, cwd, ground);
}

/** Built into the shell, and able to change what later parts mean; only a rule can have allowed them. */
const CHANGES_SHELL = new Set(
  'cd pushd popd . source eval exec set shopt export declare typeset local readonly unset alias unalias enable hash trap builtin command read mapfile readarray printf getopts let'.split(
    ' ',
  ),
);

const READ_ONLY = 'read-only command';

function judgeParts(commands: readonly PlainCommand[], cwd: string, ground: Ground): Verdict {
  const used = new Set<string>();
  // A part may run after a move or without it, so what follows must hold in both folders.
  let folders = [cwd];
  for (const command of commands) {
    const program = command.words[0]?.text ?? '';
    const rule = ground.rules.find((candidate) => matchesCommand(candidate, command.text));
    const proof = proveReadOnly(command, folders, ground.bounds);
    if (proof.ok) {
      used.add(READ_ONLY);
      if (proof.movesTo !== null) folders.push(proof.movesTo);
    } else if (rule !== undefined) {
      used.add(rule.source);
      // Nothing can be proven any more, so each later part needs a rule too.
      if (CHANGES_SHELL.has(program)) folders = [];
    } else {
      return denied('not-allowed', notAllowedText(command.text, program, proof.why));
    }
  }
  return allowed([...used].join(', '));
}
