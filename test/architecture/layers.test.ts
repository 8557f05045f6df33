import { cruise } from 'dependency-cruiser';
import { beforeAll, expect, test } from 'vitest';

/** Who may know whom. An import that is not allowed here turns up by name: `from -> to`. */
interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
  readonly builtin: boolean;
  readonly circular: boolean;
}

const SOURCES = ['messages', 'actors', 'src', 'tui', 'config'];
let modules: readonly string[] = [];
let imports: readonly Import[] = [];

beforeAll(async () => {
  const { output } = await cruise(SOURCES, {
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  });
  if (typeof output === 'string') throw new Error('the modules were expected as data');
  modules = output.modules.map(({ source }) => source).filter(isOurs);
  imports = output.modules
    .filter(({ source }) => isOurs(source))
    .flatMap(({ source, dependencies }) =>
      dependencies.map((to) => ({
        from: source,
        to: to.resolved,
        typeOnly: to.dependencyTypes.includes('type-only'),
        builtin: to.coreModule,
        circular: to.circular,
      })),
    );
});

const isOurs = (path: string): boolean => SOURCES.some((folder) => path.startsWith(`${folder}/`));
/** A package whose entry only an `import` condition names stays a bare name. */
const isPackage = ({ to }: Import): boolean =>
  to.startsWith('node_modules/') || /^[a-z][a-z0-9-]*$/.test(to);
const packageOf = ({ to }: Import): string =>
  /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(to)?.[1] ?? '';

const within =
  (...folders: readonly string[]) =>
  (path: string): boolean =>
    folders.some((folder) => path.startsWith(`${folder}/`));

/** The imports of a folder that go where it may not. */
const strays = (folder: string, allowed: (found: Import) => boolean): string[] =>
  imports
    .filter((found) => within(folder)(found.from) && !allowed(found))
    .map(({ from, to }) => `${from} -> ${to}`);

const among = ({ to }: Import, ...folders: readonly string[]): boolean => within(...folders)(to);
const isForeign = (found: Import): boolean => isPackage(found) || found.builtin;

test('the modules are really read', () => {
  expect(modules.length).toBeGreaterThan(100);
  expect(imports.length).toBeGreaterThan(500);
  for (const folder of SOURCES) expect(modules.some(within(folder))).toBe(true);
});

test('messages import nothing but each other', () => {
  expect(strays('messages', (found) => among(found, 'messages'))).toEqual([]);
});

test('actors import messages and the state machine library, and nothing that touches the world', () => {
  const allowed = (found: Import): boolean =>
    among(found, 'messages', 'actors') || packageOf(found) === 'xstate';
  expect(strays('actors', allowed)).toEqual([]);
});

test('what is seen knows the messages and nothing behind them', () => {
  expect(strays('tui', (found) => among(found, 'messages', 'tui') || isForeign(found))).toEqual([]);
});

test('the configuration knows the messages and nothing else of ours', () => {
  const allowed = (found: Import): boolean =>
    among(found, 'messages', 'config') || isForeign(found);
  expect(strays('config', allowed)).toEqual([]);
});

/** `src/tools`, for a file in it; `src` for the files that wire. */
const areaOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/');

test('the folders of src do not know each other: what wires them stands beside them', () => {
  const areas = new Set(modules.filter(within('src')).map(areaOf));
  areas.delete('src');
  areas.delete('src/cli');
  expect(areas.size).toBeGreaterThan(5);
  for (const area of areas) {
    const allowed = (found: Import): boolean =>
      isForeign(found) ||
      among(found, area, 'messages', 'actors', 'tui/text') ||
      (found.typeOnly && among(found, 'tui'));
    expect(strays(area, allowed)).toEqual([]);
  }
});

test('of the actors, only the session knows more than the ports', () => {
  const known = imports.filter(({ from, to }) => within('src')(from) && within('actors')(to));
  const stray = known.filter(
    ({ from, to }) =>
      to !== 'actors/ports.ts' && !within('src/session')(from) && areaOf(from) !== 'src',
  );
  expect(stray.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

/** Packages that one file each has to itself, so that a change of theirs has one place. */
test.each([
  ['blessed', 'tui/screen.ts'],
  ['better-sqlite3', 'src/store/database.ts'],
])('%s is imported by %s alone', (name, file) => {
  const users = imports.filter((found) => packageOf(found).replace('@types/', '') === name);
  expect(users.map(({ from }) => from)).toEqual([file]);
});

test('no import leads back to where it came from', () => {
  const cycles = imports.filter(({ circular }) => circular);
  expect(cycles.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test('nothing of ours imports its tests or what was built of it', () => {
  const stray = imports.filter((found) => !isForeign(found) && !isOurs(found.to));
  expect(stray.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});
