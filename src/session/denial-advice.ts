/**
 * Why calls were denied, and what would change that: a rule that refuses is not overruled by one that allows, so
 * whoever gave it is told which it is. Pure.
 */
import type { Denial } from '../../messages/result.js';
import type { SessionSpec } from '../../messages/session.js';

type Permissions = SessionSpec['permissions'];

/** `tools`: those whose newest call was denied. Reads on after "finished, but". */
export function denialAdvice(
  tools: readonly string[],
  denials: readonly Denial[],
  permissions: Permissions = { mode: 'default', allow: [] },
): string {
  const byRule = new Map<string, string[]>();
  const open: string[] = [];
  for (const tool of tools) {
    const rule = refusing(denials.findLast((denial) => denial.tool === tool)?.rule, permissions);
    if (rule === null) open.push(tool);
    else byRule.set(rule, [...(byRule.get(rule) ?? []), tool]);
  }
  const refused = [...byRule].map(
    ([rule, names]) =>
      `calls of ${names.join(', ')} were denied by the rule ${rule}, which --allow does not overrule`,
  );
  return [
    ...(open.length > 0
      ? [`calls of ${open.join(', ')} were denied; allow them with --allow`]
      : []),
    ...refused,
  ].join('; ');
}

/** As a person would look for it; null: no rule has refused it. */
function refusing(
  denied: string | undefined,
  { deny = [], ask = [], origins = {} }: Permissions,
): string | null {
  if (denied === undefined) return null;
  const kind = deny.includes(denied) ? 'deny' : ask.includes(denied) ? 'ask' : null;
  if (kind === null) return null;
  const origin = origins[`${kind} ${denied}`];
  const line = origin?.line ?? null;
  const place = origin === undefined ? '' : ` (${origin.from}${line === null ? '' : `:${line}`})`;
  return `"${kind} ${denied}"${place}`;
}
