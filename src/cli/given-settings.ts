/** `KEY=VALUE` as typed for `ouro set`: read as a whole, so that nothing is changed where one of them is wrong. */
import { DURATION_FORM, parseDuration } from '../../config/duration.js';
import { nearest } from '../../config/nearest.js';
import {
  NO_VALUE,
  SETTING_KEYS,
  type SettingKey,
  type SettingsChange,
} from '../../messages/settings-change.js';
import * as setting from '../../messages/settings-values.js';
import { usage, type VerbFailure } from './verb-output.js';

type Reading = SettingsChange | null;

const { FORMS } = setting;
const LIMIT = `, or "${NO_VALUE}"`;

/** For each key: what was expected, and what it changes; null: the value is not that. */
const READERS: Readonly<Record<SettingKey, readonly [string, (text: string) => Reading]>> = {
  model: [FORMS.model, (text) => (setting.isModelName(text) ? { model: text } : null)],
  fallback: [`${FORMS.fallback}${LIMIT}`, fallbackOf],
  'max-rounds': [
    `${FORMS.rounds}${LIMIT}`,
    limitOf(setting.isRounds, numberOf, (maxRounds) => ({ maxRounds })),
  ],
  'max-cost': [
    `${FORMS.cost}${LIMIT}`,
    limitOf(setting.isDollars, numberOf, (maxCost) => ({ maxCost })),
  ],
  'max-tokens': [
    `${FORMS.tokens}${LIMIT}`,
    limitOf(setting.isTokens, numberOf, (maxTokens) => ({ maxTokens })),
  ],
  'max-time': [
    `${DURATION_FORM}${LIMIT}`,
    limitOf(setting.isTimeMs, parseDuration, (maxTimeMs) => ({ maxTimeMs })),
  ],
  'permission-mode': [
    `one of ${FORMS.mode}`,
    (text) => (setting.isPermissionMode(text) ? { permissionMode: text } : null),
  ],
  name: [FORMS.name, (text) => (setting.isName(text.trim()) ? { name: text.trim() } : null)],
};

function numberOf(text: string): number {
  return text.trim() === '' ? NaN : Number(text);
}

function limitOf(
  accepts: (value: unknown) => boolean,
  read: (text: string) => number | null,
  change: (value: number | null) => SettingsChange,
): (text: string) => Reading {
  return (text) => {
    if (text === NO_VALUE) return change(null);
    const value = read(text);
    return accepts(value) ? change(value) : null;
  };
}

function fallbackOf(text: string): Reading {
  if (text === NO_VALUE) return { fallback: [] };
  const fallback = text.split(',').map((name) => name.trim());
  return setting.isFallback(fallback) ? { fallback } : null;
}

const isKey = (text: string): text is SettingKey =>
  (SETTING_KEYS as readonly string[]).includes(text);

export interface GivenSettings {
  /** Undefined: none was named. */
  readonly id: string | undefined;
  readonly change: SettingsChange;
}

/** What comes first and is no setting names the session. */
export function readSettings(words: readonly string[]): GivenSettings | VerbFailure {
  const [first = ''] = words;
  const id = first.includes('=') ? undefined : first;
  const settings = id === undefined ? words : words.slice(1);
  if (settings.length === 0) return usage(`say what to change: ouro set [ID] ${EXAMPLE}`);
  const seen = new Set<string>();
  let change: SettingsChange = {};
  for (const word of settings) {
    const read = readOne(word);
    if ('code' in read) return read;
    if (seen.has(read.key)) return usage(`${read.key} is given twice`);
    seen.add(read.key);
    change = { ...change, ...read.change };
  }
  return { id, change };
}

const EXAMPLE = 'model=NAME max-cost=5';

function readOne(
  word: string,
): { readonly key: SettingKey; readonly change: SettingsChange } | VerbFailure {
  const at = word.indexOf('=');
  if (at < 0) return usage(`${word}: expected KEY=VALUE, such as ${EXAMPLE}`);
  const key = word.slice(0, at);
  if (!isKey(key)) return unknownKey(key);
  const value = word.slice(at + 1);
  const [expected, read] = READERS[key];
  const change = read(value);
  return change === null ? usage(`${key}=${value}: expected ${expected}`) : { key, change };
}

function unknownKey(key: string): VerbFailure {
  const meant = nearest(key.replaceAll('_', '-'), SETTING_KEYS);
  const hint = meant === null ? '' : ` (${meant}?)`;
  return usage(
    `${key} is nothing that can be changed${hint}; what can be is ${SETTING_KEYS.join(', ')}`,
  );
}
