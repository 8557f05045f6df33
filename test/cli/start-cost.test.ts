import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const IMPORT = /^(?:import|export) (?!type )[^;]*?from '([^']+)';|^import '([^']+)';/gms;

/** Packages that are loaded with a module, before anything of it runs. */
function packagesOf(module: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(module.href)) return new Set();
  seen.add(module.href);
  const source = readFileSync(fileURLToPath(module), 'utf8');
  const found = new Set<string>();
  for (const [, from, bare] of source.matchAll(IMPORT)) {
    const name = from ?? bare ?? '';
    if (name.startsWith('node:')) continue;
    const more = name.startsWith('.')
      ? packagesOf(new URL(name.replace(/\.js$/, '.ts'), module), seen)
      : [name];
    for (const one of more) found.add(one);
  }
  return found;
}

const verb = (name: string): URL => new URL(`../../src/cli/${name}.ts`, import.meta.url);

test.each([
  'ls',
  'status',
  'logs',
  'pause',
  'send',
  'stop',
  'kill',
  'wait',
  'attach',
  'overview',
  'metrics',
  'sessions-export',
  'report',
  'show',
  'replay',
  'fork',
  'sessions-list',
  'sessions-label',
  'sessions-rm',
  'sessions-prune',
  'sessions-verify',
  'context-show',
  'context-undo',
])('%s loads no package but the one that reads the index', (name) => {
  expect([...packagesOf(verb(name))]).toEqual(['better-sqlite3']);
});
