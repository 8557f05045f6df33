#!/usr/bin/env node
// Builds the program: compiles the sources into dist/, one file each, and joins what starts with the program
// into few files in dist/program/, because reading hundreds of small ones takes longer than running them.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compiled = join(root, 'dist');
const program = join(compiled, 'program');

/**
 * Packages that every session loads, made of many small files. All others are loaded as they are, most of them
 * only when they are needed.
 */
const JOINED = ['commander', 'execa', 'openai', 'smol-toml', 'xstate', 'zod'];

const otherPackages = {
  name: 'other-packages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      const isOurs = importer.startsWith(compiled + sep);
      const isJoined = JOINED.some((name) => path === name || path.startsWith(`${name}/`));
      return isOurs && !isJoined ? { path, external: true } : undefined;
    }),
};

/** A file that looks for others beside itself finds them where it was compiled. */
const ownPlace = {
  name: 'own-place',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!path.startsWith(compiled + sep)) return undefined;
      const text = readFileSync(path, 'utf8');
      const place = JSON.stringify(relative(program, path).replaceAll(sep, '/'));
      return {
        contents: text.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`),
        loader: 'js',
      };
    }),
};

export async function buildProgram() {
  const compiler = join(root, 'node_modules', 'typescript7', 'bin', 'tsc');
  const project = join(root, 'tsconfig.build.json');
  // stdout is for results, also of a program that is built on its way.
  execFileSync(process.execPath, [compiler, '-p', project], { cwd: root, stdio: ['ignore', 2, 2] });
  rmSync(program, { recursive: true, force: true });
  await build({
    entryPoints: [join(compiled, 'src', 'main.js')],
    outdir: program,
    bundle: true,
    // What is loaded only when it is needed stays in files of its own.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [otherPackages, ownPlace],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProgram();
