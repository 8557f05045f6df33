#!/usr/bin/env node
// `npm start`: builds what has changed, then runs the survey here, or the verb that was given.
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, 'dist', 'program', 'main.js');

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
  const { buildProgram } = await import('./build.js');
  await buildProgram();
}
if (process.argv.length === 2) process.argv.push('rehearse', 'survey');
await import(built);
