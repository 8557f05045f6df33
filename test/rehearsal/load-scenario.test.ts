import { expect, test } from 'vitest';
import { bundledScenarios, loadScenario } from '../../src/rehearsal/load-scenario.js';
import type { LoadedScenario } from '../../src/rehearsal/load-scenario.js';
import { loadToml } from './scripted-conversation.js';

const HEAD = 'name = "x"\ngoal = "g"\n';
const messageOf = (loaded: LoadedScenario): string => (loaded.ok ? '' : loaded.message);
const problemsOf = (toml: string): string => messageOf(loadToml(toml));
const refusalOf = (nameOrPath: string): string => messageOf(loadScenario(nameOrPath));

test('every bundled scenario loads by its name', () => {
  expect(bundledScenarios()).toEqual(['faults', 'ledger', 'rounds', 'survey']);
  for (const name of bundledScenarios()) {
    const loaded = loadScenario(name);
    expect(loaded.ok ? loaded.scenario.name : loaded.message).toBe(name);
  }
});

test('an unknown name is answered with the names there are', () => {
  expect(refusalOf('survye')).toContain('faults, ledger, rounds, survey');
});

test('a path that leads nowhere, or to a folder, is named', () => {
  expect(refusalOf('./no/such.toml')).toContain('./no/such.toml');
  expect(refusalOf('/')).toContain('/: expected a file');
});

test('broken TOML is reported with its file and line', () => {
  expect(problemsOf('name = "x"\ngoal = \n')).toMatch(/scenario\.toml: [^]*2: {2}goal =/);
});

test.each([
  [
    'an unknown key of a turn',
    '[[turn]]\ntext = "a"\n[[turn]]\ntxt = "b"',
    /turn 2: unknown key txt; known here: when, text/,
  ],
  [
    'an unknown condition',
    '[[turn]]\ntext = "a"\nwhen = { tool = "x" }',
    /turn 1, key when: unknown key tool; known here: agent, last_tool/,
  ],
  [
    'a bad agent',
    '[[turn]]\ntext = "a"\nwhen = { agent = "boss" }',
    /turn 1, key when\.agent: expected "main"/,
  ],
  ['a wrong type', '[[turn]]\ntext = 3', /turn 1, key text: .*expected string/],
  [
    'a fault of no known kind',
    '[[turn]]\nfault = { kind = "slow" }',
    /turn 1, key fault\.kind: expected one of status, hang/,
  ],
  [
    'a fault with a foreign key',
    '[[turn]]\nfault = { kind = "hang", after = 3 }',
    /turn 1, key fault: unknown key after/,
  ],
  [
    'a status that is no failure',
    '[[turn]]\nfault = { kind = "status", status = 200 }',
    /turn 1, key fault\.status: .*400/,
  ],
  [
    'a number of times that makes no sense',
    '[[turn]]\ntext = "a"\ntimes = 0',
    /turn 1, key times: expected 1 or more, or -1/,
  ],
  [
    'a condition that is no pattern',
    '[[turn]]\ntext = "a"\nwhen = { contains = "/(/" }',
    /turn 1, key when\.contains: Invalid regular expression/,
  ],
  [
    'an unknown placeholder',
    '[[turn]]\ntext = "{{workspace}}"',
    /turn 1, key text: \{\{workspace\}\} is not a placeholder; there are/,
  ],
  [
    'a placeholder with a broken pattern',
    `[[turn]]\ncalls = [{ name = "t", args = { a = ["{{result.t.(}}"] } }]`,
    /turn 1, key calls\.0\.args\.a: Invalid regular expression/,
  ],
  [
    'a count without a pattern',
    '[[turn]]\ntext = "{{count.grep}}"',
    /turn 1, key text: \{\{count\.grep\}\}/,
  ],
  [
    'a turn that says nothing',
    '[[turn]]\nwhen = { round = 1 }',
    /turn 1: expected a text, calls or a fault/,
  ],
  ['no turn at all', 'turn = []', /key turn: expected at least one/],
])('%s is refused, with its place and what was expected', (_, toml, message) => {
  expect(problemsOf(HEAD + toml)).toMatch(message);
});

test('all mistakes are reported at once', () => {
  const problems = problemsOf(`${HEAD}[[turn]]\ntext = 1\n[[turn]]\ntext = 2`).split('\n');
  expect(problems).toHaveLength(2);
});
