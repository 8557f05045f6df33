#!/usr/bin/env node
// `npm start`: builds what has changed, then runs the survey here, or the verb that was given.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compiler = join(root, 'node_modules', 'typescript7', 'bin', 'tsc');
const built = join(root, 'dist', 'src', 'main.js');

const newest = (folder) =>
  Math.max(
    0,
    ...readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => statSync(join(folder, name)).mtimeMs),
  );

const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const sources = ['messages', 'actors', 'src', 'tui', 'config'].map((name) => join(root, name));
if (sources.some((folder) => newest(folder) > builtAt)) {
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
}
if (process.argv.length === 2) process.argv.push('rehearse', 'survey');
await import(built);
