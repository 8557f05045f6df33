/**
 * What the files of a workspace that nobody has accepted may set: how things look, lower limits, more
 * refusals. This is the only list: a key that is not on it takes effect once the workspace is trusted.
 */
import { parseDuration } from './duration.js';
import type { Table } from './file-layer.js';
import { KEYS } from './schema.js';
import { DEFAULT_COSTS } from './settings.js';

/** `any`: it cannot do harm. `lower`: only below what is set without it. */
const MAY_SET: Readonly<Record<string, 'any' | 'lower'>> = {
  'tui.colour': 'any',
  'log.level': 'any',
  'log.format': 'any',
  'permissions.deny': 'any',
  'budget.max_rounds': 'lower',
  'budget.max_time': 'lower',
  'budget.session_cost': 'lower',
  'budget.day_cost': 'lower',
  'budget.month_cost': 'lower',
  'budget.session_tokens': 'lower',
};

/** For messages. */
export const MAY_SET_TEXT =
  'set [tui] and [log], lower limits in [budget] and add rules to permissions.deny';

export const mustBeLower = (key: string): boolean =>
  Object.hasOwn(MAY_SET, key) && MAY_SET[key] === 'lower';

export const needsTrust = (key: string): boolean => !Object.hasOwn(MAY_SET, key);

interface Divided {
  readonly allowed: Table;
  /** `section.key`, or the name of what is no table. */
  readonly ignored: readonly string[];
}

/** In a section that may be set at all, keys that do not exist stay in: they are mistakes to be told. */
export function withinTrust(table: Table): Divided {
  const allowed: Record<string, unknown> = {};
  const ignored: string[] = [];
  for (const [section, value] of Object.entries(table)) {
    const isOpen = OPEN_SECTIONS.has(section);
    if (!isTable(value)) {
      if (isOpen) allowed[section] = value;
      else ignored.push(section);
      continue;
    }
    const kept = Object.entries(value).filter(([name]) => {
      const key = `${section}.${name}`;
      return !needsTrust(key) || (isOpen && !KEYS.has(key));
    });
    const keptNames = new Set(kept.map(([name]) => name));
    if (kept.length > 0) allowed[section] = Object.fromEntries(kept);
    for (const name of Object.keys(value))
      if (!keptNames.has(name)) ignored.push(`${section}.${name}`);
  }
  return { allowed, ignored };
}

const OPEN_SECTIONS = new Set(['tui', 'log', 'budget']);

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The limits that hold where none is configured, which must not be raised either. */
export const DEFAULT_LIMITS: Readonly<Record<string, number>> = {
  'budget.session_cost': DEFAULT_COSTS.session,
  'budget.day_cost': DEFAULT_COSTS.day,
  'budget.month_cost': DEFAULT_COSTS.month,
};

/** Two numbers, or two lengths of time of which one may be in seconds. Where nothing is set all is lower. */
export function isAtMost(value: unknown, limit: unknown): boolean {
  if (limit === undefined || (limit === 'none' && typeof value === 'number')) return true;
  if (typeof value === 'number' && typeof limit === 'number') return value <= limit;
  const [wanted, known] = [value, limit].map((each) => parseDuration(String(each)));
  return typeof wanted === 'number' && typeof known === 'number' && wanted <= known;
}
