/** Texts as tools return them, made up: of usual sizes, and never twice the same. */
import type { Random } from './random.js';

const NOUNS = [
  ...([
    'session',
    'journal',
    'ledger',
    'invoice',
    'cursor',
    'request',
    'window',
    'reader',
  ] as const),
  ...(['queue', 'socket', 'record', 'payload', 'customer', 'receipt', 'timer', 'account'] as const),
] as const;
const VERBS = [
  ...(['read', 'open', 'close', 'merge', 'parse', 'settle', 'count', 'refuse', 'collect'] as const),
  ...(['resolve', 'validate', 'schedule', 'release', 'measure'] as const),
] as const;
const FOLDERS = ['src/store', 'src/billing', 'lib/net', 'packages/core/src', 'app/views'] as const;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const nameOf = (random: Random): string =>
  `${random.pick(VERBS)}${capital(random.pick(NOUNS))}`;

export const pathOf = (random: Random, code = ''): string =>
  `${random.pick(FOLDERS)}/${random.pick(NOUNS)}-${code === '' ? random.pick(VERBS) : code}.ts`;

export const numbered = (text: string, first = 1): string =>
  text
    .split('\n')
    .map((line, i) => `L${first + i}: ${line}`)
    .join('\n');

function statement(random: Random): string {
  const [noun, other] = [random.pick(NOUNS), random.pick(NOUNS)];
  switch (random.between(0, 5)) {
    case 0:
      return `  const ${noun} = await this.#${other}.${random.pick(VERBS)}(${noun}Id, { limit: ${random.between(1, 500)} });`;
    case 1:
      return `  if (${noun}.${other}s.length === 0) return null;`;
    case 2:
      return `  for (const ${noun} of ${other}s) ${noun}.${random.pick(VERBS)}('${other}');`;
    case 3:
      return `  // The ${noun} is ${random.pick(VERBS)}d before the ${other}, or a crash would lose it.`;
    case 4:
      return `  this.#${noun}s.set(${other}.id, { ...${noun}, at: this.#time.now() });`;
    default:
      return `  return ${noun}s.filter(({ ${other} }) => ${other} !== undefined).map((each) => each.${other});`;
  }
}

/** A page of a source file; `extra` is a line of its own in the middle of it. */
export function code(random: Random, extra = ''): string {
  const functions = Array.from({ length: random.between(4, 22) }, () =>
    [
      `export async function ${nameOf(random)}(${random.pick(NOUNS)}Id: string): Promise<${capital(random.pick(NOUNS))} | null> {`,
      random.lines(3, 11, () => statement(random)),
      '}',
      '',
    ].join('\n'),
  );
  const middle = Math.floor(functions.length / 2);
  const all = [...functions.slice(0, middle), extra, ...functions.slice(middle)];
  return numbered(all.join('\n'));
}

const hex = (random: Random): string => random.between(0x1000000, 0xfffffff).toString(16);

export function json(random: Random): string {
  const items = Array.from({ length: random.between(6, 40) }, (_, i) => ({
    id: `${hex(random)}-${i}`,
    name: nameOf(random),
    amount: random.between(1, 99_999) / 100,
    active: random.chance(0.5),
    tags: [random.pick(NOUNS), random.pick(VERBS)],
    at: `2026-0${random.between(1, 9)}-1${random.between(0, 9)}T0${random.between(0, 9)}:15:00Z`,
  }));
  return `[exit: 0]\n${JSON.stringify({ items, next: hex(random) }, null, random.pick([0, 2]))}`;
}

const ls = (random: Random): string =>
  `${random.pick(['-rw-r--r--', 'drwxr-xr-x', '-rwxr-xr-x'])} ${random.between(1, 9)} dev staff ` +
  `${String(random.between(80, 99_999)).padStart(7)} Nov ${random.between(10, 28)} ` +
  `0${random.between(0, 9)}:${random.between(10, 59)} ${random.pick(NOUNS)}-${random.pick(VERBS)}.ts`;

export const listing = (random: Random): string =>
  `[exit: 0]\ntotal ${random.between(100, 9_000)}\n${random.lines(20, 90, () => ls(random))}`;

const passed = (random: Random): string =>
  ` ✓ ${pathOf(random).replace('.ts', '.test.ts')} > ${nameOf(random)} ${random.between(1, 900)}ms`;

/** The output of a test run; `error` is the line that says what failed; empty: nothing did. */
export function testLog(random: Random, error = ''): string {
  const before = random.lines(15, 90, () => passed(random));
  if (error === '') return `[exit: 0]\n${before}\n\n Tests  ${random.between(90, 400)} passed`;
  const stack = random.lines(4, 12, () => {
    const at = `${pathOf(random)}:${random.between(1, 400)}:${random.between(1, 60)}`;
    return `    at ${nameOf(random)} (${at})`;
  });
  return `[exit: 1]\n${before}\n${error}\n${stack}\n${random.lines(5, 30, () => passed(random))}`;
}

const PHRASES = [
  ...([
    '会議の記録を確認してから',
    '請求書の金額を修正しました。',
    '次のリリースは来週の予定です。',
  ] as const),
  ...(['请先检查数据库连接，', '然后重新运行所有测试。', '这个函数的返回值不正确，'] as const),
  ...([
    '사용자 계정을 확인하고 ',
    '오류 로그를 다시 저장했습니다. ',
    '설정 파일을 수정해야 합니다. ',
  ] as const),
] as const;

export const wide = (random: Random): string =>
  numbered(
    random.lines(10, 60, () =>
      Array.from({ length: random.between(1, 4) }, () => random.pick(PHRASES)).join(''),
    ),
  );

export const matches = (random: Random): string =>
  random.lines(
    8,
    50,
    () => `${pathOf(random)}:${random.between(1, 400)}: ${statement(random).trim()}`,
  );

export const prose = (random: Random): string =>
  `The ${random.pick(NOUNS)} is not what ${nameOf(random)} expects; I look at the ${random.pick(NOUNS)} next.`;
