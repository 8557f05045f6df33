/** What a person may change of a session while it is under way, and the same as it is typed. */
import type { Millis } from './ids.js';
import type { PermissionMode } from './session.js';

/** What is left out stays as it is. */
export interface SettingsChange {
  readonly model?: string;
  /** Empty: no other model is asked. */
  readonly fallback?: readonly string[];
  /** Limits; null: none. */
  readonly maxRounds?: number | null;
  /** In dollars, of the session. */
  readonly maxCost?: number | null;
  readonly maxTokens?: number | null;
  readonly maxTimeMs?: Millis | null;
  readonly permissionMode?: PermissionMode;
  readonly name?: string;
}

/** The keys as a person types them, in the order in which they are listed. */
export const SETTING_KEYS = [
  'model',
  'fallback',
  'max-rounds',
  'max-cost',
  'max-tokens',
  'max-time',
  'permission-mode',
  'name',
] as const;

export type SettingKey = (typeof SETTING_KEYS)[number];

export const NO_VALUE = 'none';

const seconds = (ms: Millis | null | undefined): string | null | undefined =>
  typeof ms === 'number' ? `${ms / 1000}s` : ms;

/** `KEY=VALUE` for each thing that it changes. */
export function settingWords(change: SettingsChange): string {
  const { fallback, name } = change;
  const values: Readonly<Record<SettingKey, string | number | null | undefined>> = {
    model: change.model,
    fallback: fallback?.length === 0 ? null : fallback?.join(','),
    'max-rounds': change.maxRounds,
    'max-cost': change.maxCost,
    'max-tokens': change.maxTokens,
    'max-time': seconds(change.maxTimeMs),
    'permission-mode': change.permissionMode,
    name: name === undefined ? undefined : JSON.stringify(name),
  };
  return SETTING_KEYS.filter((key) => values[key] !== undefined)
    .map((key) => `${key}=${values[key] ?? NO_VALUE}`)
    .join(' ');
}
