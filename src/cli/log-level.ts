/** How much is logged: what the configuration says, as the logger knows it. */
import type { LogLevel as ConfiguredLevel } from '../../config/settings.js';
import type { LogLevel } from '../../tui/headless.js';

export const LEVELS: Readonly<Record<ConfiguredLevel, LogLevel>> = {
  trace: 'verbose',
  debug: 'verbose',
  info: 'normal',
  warn: 'warnings',
  error: 'quiet',
  silent: 'silent',
};
