/** The arguments of `set`: what each may be, and the change of settings that they stand for. */
import type { SetArgs } from '../../messages/control.js';
import type { SettingsChange } from '../../messages/settings-change.js';
import * as setting from '../../messages/settings-values.js';

export interface Check {
  readonly required: boolean;
  readonly expected: string;
  accepts(value: unknown): boolean;
}

const check = (expected: string, accepts: Check['accepts']): Check => ({
  required: false,
  expected,
  accepts,
});

const limit = (expected: string, accepts: Check['accepts']): Check =>
  check(`${expected}, or null for no limit`, (value) => value === null || accepts(value));

const { FORMS } = setting;

export const SET_CHECKS: Readonly<Record<keyof SetArgs, Check>> = {
  model: check(FORMS.model, setting.isModelName),
  fallback: check('a list of model names', setting.isFallback),
  max_rounds: limit(FORMS.rounds, setting.isRounds),
  max_cost: limit(FORMS.cost, setting.isDollars),
  max_tokens: limit(FORMS.tokens, setting.isTokens),
  max_time_ms: limit('a number of milliseconds, at most a year', setting.isTimeMs),
  permission_mode: check(FORMS.mode, setting.isPermissionMode),
  name: check(FORMS.name, setting.isName),
};

/** What is undefined was not given. */
type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

const given = <T extends object>(fields: Given<T>): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

export const changeOf = (args: SetArgs): SettingsChange =>
  given<SettingsChange>({
    model: args.model,
    fallback: args.fallback,
    maxRounds: args.max_rounds,
    maxCost: args.max_cost,
    maxTokens: args.max_tokens,
    maxTimeMs: args.max_time_ms,
    permissionMode: args.permission_mode,
    name: args.name,
  });

export const argsOfChange = (change: SettingsChange): SetArgs =>
  given<SetArgs>({
    model: change.model,
    fallback: change.fallback,
    max_rounds: change.maxRounds,
    max_cost: change.maxCost,
    max_tokens: change.maxTokens,
    max_time_ms: change.maxTimeMs,
    permission_mode: change.permissionMode,
    name: change.name,
  });
