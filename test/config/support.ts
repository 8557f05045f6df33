/** A home and a workspace in a temporary folder, and what the loader makes of them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  loadConfig,
  type Config,
  type ConfigError,
  type ConfigSources,
  type LoadedConfig,
} from '../../config/load.js';

export class Places {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'config-')));
  readonly home = join(this.root, 'home');
  readonly workspace = join(this.root, 'work');
  readonly userFile = join(this.home, 'config.toml');
  readonly workspaceFile = join(this.workspace, '.ouro', 'config.toml');

  constructor() {
    mkdirSync(this.home);
    mkdirSync(join(this.workspace, '.ouro'), { recursive: true });
  }

  user(toml: string): this {
    writeFileSync(this.userFile, toml);
    return this;
  }

  project(toml: string): this {
    writeFileSync(this.workspaceFile, toml);
    return this;
  }

  dotEnv(text: string): this {
    writeFileSync(join(this.home, '.env'), text);
    return this;
  }

  load(more: Partial<ConfigSources> = {}): LoadedConfig {
    return loadConfig({ home: this.home, workspace: this.workspace, env: {}, ...more });
  }

  config(more: Partial<ConfigSources> = {}): Config {
    const loaded = this.load(more);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
    return loaded.config;
  }

  errors(more: Partial<ConfigSources> = {}): readonly ConfigError[] {
    const loaded = this.load(more);
    return loaded.ok ? [] : loaded.errors;
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}
