/** Finds and reads a scenario: a bundled one by its name, or a file, which may be a recording, by its path. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'smol-toml';
import type { Scenario } from './scenario.js';
import { isRecording, parseRecording } from './load-recording.js';
import { scenarioSchema } from './scenario-schema.js';
import type { Compiled } from './template.js';

export type LoadedScenario =
  | { readonly ok: true; readonly scenario: Scenario }
  /** Names the file, the turn, the key and what was expected there. */
  | { readonly ok: false; readonly message: string };

/** Far beyond what anyone writes by hand; keeps a path given by mistake from filling the memory. */
const MAX_SCENARIO_BYTES = 16 * 1024 * 1024;
const EXTENSION = '.toml';

/** Blocks while it reads: it is used once, before a session starts. Does not throw. */
export function loadScenario(nameOrPath: string): LoadedScenario {
  const file = locate(nameOrPath);
  if (!file.ok) return file;
  const source = readSource(file.value);
  if (!source.ok) return source;
  if (isRecording(source.value)) {
    const recording = parseRecording(source.value);
    return recording.ok
      ? { ok: true, scenario: recording.value }
      : { ok: false, message: `${file.value}: ${recording.message}` };
  }
  const document = parseToml(source.value);
  if (!document.ok) return { ok: false, message: `${file.value}: ${document.message}` };
  const checked = scenarioSchema.safeParse(document.value);
  if (checked.success) return { ok: true, scenario: checked.data };
  const problems = checked.error.issues.map(
    (issue) => `${file.value}: ${placeOf(issue.path)}: ${issue.message}`,
  );
  return { ok: false, message: problems.join('\n') };
}

/** Names of the scenarios that come with the program. */
export function bundledScenarios(): readonly string[] {
  return readdirSync(scenarioFolder())
    .filter((name) => extname(name) === EXTENSION)
    .map((name) => basename(name, EXTENSION))
    .sort();
}

/** A word is the name of a bundled scenario; what has a slash or an extension is a path. */
function locate(nameOrPath: string): Compiled<string> {
  if (/[\\/]/.test(nameOrPath) || extname(nameOrPath) !== '') {
    return { ok: true, value: nameOrPath };
  }
  const bundled = join(scenarioFolder(), nameOrPath + EXTENSION);
  if (existsSync(bundled)) return { ok: true, value: bundled };
  const names = bundledScenarios().join(', ');
  return {
    ok: false,
    message: `there is no scenario "${nameOrPath}"; there are ${names}, or give the path of a ${EXTENSION} file`,
  };
}

/** The code runs from the sources and from the build; the scenarios are data and stay with the sources. */
function scenarioFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the program is not inside its package');
    folder = parent;
  }
  return join(folder, 'src', 'rehearsal', 'scenarios');
}

function readSource(file: string): Compiled<string> {
  try {
    const { size } = regularFile(file);
    if (size > MAX_SCENARIO_BYTES) {
      return {
        ok: false,
        message: `${file}: ${size} bytes; at most ${MAX_SCENARIO_BYTES} are read`,
      };
    }
    return { ok: true, value: readFileSync(file, 'utf8') };
  } catch (error) {
    return { ok: false, message: `${file}: ${messageOf(error)}` };
  }
}

/** Opening a pipe or a device could block for ever. */
function regularFile(file: string): Stats {
  const stats = statSync(file);
  if (!stats.isFile()) throw new Error('expected a file');
  return stats;
}

function parseToml(source: string): Compiled<unknown> {
  try {
    return { ok: true, value: parse(source) };
  } catch (error) {
    return { ok: false, message: messageOf(error).trimEnd() };
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** `turn 3, key when.contains`; turns are counted from 1, as people do. */
function placeOf(path: readonly PropertyKey[]): string {
  const [first, second, ...rest] = path.map(String);
  if (first !== 'turn' || second === undefined) {
    return path.length === 0 ? 'top level' : `key ${path.join('.')}`;
  }
  const turn = `turn ${Number(second) + 1}`;
  return rest.length === 0 ? turn : `${turn}, key ${rest.join('.')}`;
}
