import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readArguments } from '../../src/model/repair-arguments.js';

const repaired = async (text: string): Promise<unknown> => {
  const read = await readArguments(text);
  return read.kind === 'object' ? JSON.parse(read.json) : read.kind;
};

test.each([
  ['', {}],
  ['{"a":1,}', { a: 1 }],
  ['{"a":[1,2,],}', { a: [1, 2] }],
  [`{'a':'the "big" one'}`, { a: 'the "big" one' }],
  [`{'a':'it\\'s'}`, { a: "it's" }],
  ['{"a":"x"\n"b":2}', { a: 'x', b: 2 }],
  ['{"pattern":"\\d+"}', { pattern: '\\d+' }],
  ['{"command":"echo \\$HOME"}', { command: 'echo $HOME'.replace('$', '\\$') }],
  ['{"a":"tab\there"}', { a: 'tab\there' }],
  ['{"a": None, "b": False}', { a: null, b: false }],
  ['{"a":1}}', { a: 1 }],
  ['{"a":1}\n{"a":1}\n', { a: 1 }],
])('the syntax of %j is repaired', async (text, meant) => {
  expect(await repaired(text)).toEqual(meant);
});

test.each([
  '{"a":1}{"a":2}',
  '{"command":"ls"} and then more',
  '{"a":say hi}',
  '{"a":"say "hi" to"}',
  `{"a":'it's'}`,
  '{"a":}',
  '{"a":...}',
  '{"a":0123}',
  '{"a":"x" + "y"}',
  '{"a":/* none */1}',
  '{"a":[1,2}',
  '[{"a":1}]',
  'rm -rf build',
  '"text"',
  'null',
  '{"__proto__": oops}',
])('%j could mean something else, and is left alone', async (text) => {
  expect(await repaired(text)).toBe('broken');
});

test.each([
  '{"command":"rm -rf bui',
  '{"command":"rm -rf build"',
  '{"a":tru',
  '{"a":[1,2',
  '{"a":"x\\',
  `{'a':'b`,
  '{',
])('%j was cut off, and is never completed', async (text) => {
  expect(await repaired(text)).toBe('cut');
});

test('no beginning of an object is ever taken for a whole one', async () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
  await fc.assert(
    fc.asyncProperty(object, fc.nat(), async (value, at) => {
      const text = JSON.stringify(value);
      const cut = text.slice(0, 1 + (at % (text.length - 1)));
      expect((await readArguments(cut)).kind).not.toBe('object');
    }),
    { numRuns: 500 },
  );
});

const objectsOf = (text: fc.Arbitrary<string>) => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const value = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), text);
  return fc.dictionary(word, value, { minKeys: 1, maxKeys: 4 });
};

/** As JavaScript and as Python. */
function otherForms(meant: Readonly<Record<string, string | number | boolean | null>>): string[] {
  const fields = Object.entries(meant);
  const script = fields.map(([name, v]) => `${name}: ${JSON.stringify(v)},`).join('\n');
  const python = fields.map(([name, v]) => `'${name}': ${pythonOf(v)}`).join(', ');
  return [`{${script}}`, `{${python}}`];
}

test('an object in JavaScript or Python is the object that was meant', async () => {
  const plain = fc.stringMatching(/^[\w .;!?()/+*=<>-]*$/);
  await fc.assert(
    fc.asyncProperty(objectsOf(plain), async (meant) => {
      for (const form of otherForms(meant)) expect(await repaired(form)).toEqual(meant);
    }),
  );
});

test('an object whose texts look like syntax is the one that was meant, or refused', async () => {
  await fc.assert(
    fc.asyncProperty(objectsOf(fc.string()), async (meant) => {
      for (const form of otherForms(meant))
        expect([meant, 'broken']).toContainEqual(await repaired(form));
    }),
  );
});

function pythonOf(value: string | number | boolean | null): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

test('any text at all has an answer', async () => {
  const letters = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ',',
    ':',
    '\\',
    'n',
    '1',
    ' ',
    '\n',
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: letters }), async (text) => {
      const read = await readArguments(text);
      if (read.kind === 'object') expect(JSON.parse(read.json)).toBeTypeOf('object');
    }),
    { numRuns: 1_000 },
  );
});

test('nesting without end and arguments without end are not repaired', async () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)},}`;
  expect(await repaired(deep)).toBe('broken');
  expect(await repaired(`{"a":"${'x'.repeat(1_000_000)}",}`)).toBe('broken');
  expect(await repaired('```' + '\n'.repeat(190_000))).toBe('broken');
  expect(await repaired('{}'.repeat(90_000))).toEqual({});
});
