/** Judges calls that name a path or an address: tools that read, tools that write, and other programs' tools. */
import { relative } from 'node:path';
import type { PermissionRequest } from '../../actors/ports.js';
import {
  askedByRuleText,
  deniedByRuleText,
  forbiddenText,
  outsideText,
  planText,
  protectedText,
  toolDeniedText,
} from './denial.js';
import { forbiddenPath } from './forbidden.js';
import type { Ground } from './ground.js';
import { isProtected } from './protected-files.js';
import { isInside, realPathOf } from './real-path.js';
import { allow, ask, builtIn, byRule, deny, type Level, type Ruling } from './ruling.js';

export function judgeSubject(request: PermissionRequest, ground: Ground): Ruling {
  const { tool, effect, subject } = request;
  const { mode, book, bounds } = ground;
  if (effect === 'read' || effect === 'write') {
    const forbidden = forbiddenPath(subject, bounds.workspace, ground.home);
    if (forbidden !== null)
      return deny('forbidden', builtIn(forbidden), forbiddenText(forbidden, subject));
  }
  const names = ground.spellingsOf(subject, realPathOf(subject, bounds.workspace));
  const refusing = book.forSubject('deny', tool, names);
  if (refusing !== undefined)
    return deny('dangerous', byRule(refusing), deniedByRuleText(refusing, subject));
  const level = levelOf(request, ground);
  const onlyReads = level === 'none' || level === 'read';
  if (mode === 'bypass') return allow(level, builtIn('bypass'));
  if (mode === 'plan' && !onlyReads) return deny(level, builtIn('plan'), planText(subject));
  if (effect === 'write' && leadsOutside(subject, ground))
    return deny('dangerous', builtIn('outside-workspace'), outsideText(subject));
  const approved = book.approvedSubject(tool, names);
  if (approved !== undefined && mode !== 'plan') return allow(level, byRule(approved));
  const asking = book.forSubject('ask', tool, names);
  if (asking !== undefined) {
    const text = askedByRuleText(asking, subject);
    return mode === 'plan' ? deny(level, byRule(asking), text) : ask(level, byRule(asking), text);
  }
  if (onlyReads) return allow(level, builtIn('read'));
  return effect === 'write'
    ? judgeWrite(request, names, ground)
    : judgeOther(request, names, ground);
}

function levelOf({ effect, subject }: PermissionRequest, { bounds }: Ground): Level {
  return effect === 'write' && protectedName(subject, bounds.workspace) !== null
    ? 'dangerous'
    : effect;
}

/** A link can give a protected file another name, and another file a protected name. Null: it is neither. */
function protectedName(subject: string, workspace: string): string | null {
  const path = relative(workspace, realPathOf(subject, workspace) ?? subject);
  return isProtected(path) || isProtected(subject) ? path : null;
}

function leadsOutside(subject: string, { bounds }: Ground): boolean {
  const real = realPathOf(subject, bounds.workspace);
  return real === null || !bounds.roots.some((root) => isInside(real, root));
}

function judgeWrite(
  { tool, subject }: PermissionRequest,
  names: readonly string[],
  { book, bounds }: Ground,
): Ruling {
  const path = protectedName(subject, bounds.workspace);
  if (path === null) return allow('write', builtIn('write-in-workspace'));
  // By where it leads alone: a rule for a harmless name must not open what a link makes of it.
  const rule = book.forSubject('allow', tool, names.slice(1));
  return rule === undefined
    ? ask('dangerous', builtIn('protected-file'), protectedText(tool, path))
    : allow('dangerous', byRule(rule));
}

function judgeOther(
  { tool, subject }: PermissionRequest,
  names: readonly string[],
  { book }: Ground,
): Ruling {
  const rule = book.forSubject('allow', tool, names);
  return rule === undefined
    ? ask('execute', builtIn('no-rule'), toolDeniedText(tool, subject))
    : allow('execute', byRule(rule));
}
