/** Single checks, with the facts of machines that are not this one. */
import { expect, test } from 'vitest';
import { checkConfiguration } from '../../src/doctor/configuration.js';
import { checkDatabase } from '../../src/doctor/database.js';
import { checkEndpoint, type EndpointPorts } from '../../src/doctor/endpoint.js';
import type { Finding } from '../../src/doctor/finding.js';
import { checkNode } from '../../src/doctor/node-version.js';
import { checkRipgrep } from '../../src/doctor/ripgrep.js';
import { checkSandbox } from '../../src/doctor/sandbox.js';
import { checkTerminal, type TerminalFacts } from '../../src/doctor/terminal.js';
import type { EndpointFacts } from '../../messages/endpoint-facts.js';

const levels = (findings: readonly Finding[]): readonly string[] => findings.map((f) => f.level);

test.each([
  ['20.19.0', 'ok'],
  ['24.1.0', 'ok'],
  ['20.18.3', 'problem'],
  ['18.20.0', 'problem'],
])('Node %s: %s', (version, level) => {
  expect(levels(checkNode(version))).toEqual([level]);
});

const GOOD: TerminalFacts = {
  isTerminal: true,
  env: { TERM: 'xterm-256color', LANG: 'de_DE.UTF-8' },
  columns: 120,
  rows: 40,
  colourBits: 8,
};

test.each<[string, Partial<TerminalFacts>, string]>([
  ['as it should be', {}, 'xterm-256color, 120x40, 256 colours, UTF-8'],
  ['without TERM', { env: { LANG: 'C.UTF-8' } }, 'cannot place text'],
  ['small', { columns: 39 }, 'too small'],
  ['of another alphabet', { env: { TERM: 'vt', LC_ALL: 'C', LANG: 'C.UTF-8' } }, 'not UTF-8'],
  ['that is none', { isTerminal: false, env: {} }, 'run headless'],
])('a terminal %s', (_, changes, words) => {
  const findings = checkTerminal({ ...GOOD, ...changes });
  expect(findings.map(({ what }) => what).join()).toContain(words);
  expect(levels(findings)).not.toContain('problem');
});

test('ripgrep that cannot be started is a problem', async () => {
  expect(levels(await checkRipgrep())).toEqual(['ok']);
  expect(levels(await checkRipgrep(() => Promise.resolve('/nowhere/rg')))).toEqual(['problem']);
});

test.each([
  ['auto', 'warn'],
  ['require', 'problem'],
  ['off', 'ok'],
] as const)('no sandbox where the mode is %s: %s', async (mode, level) => {
  const none = { works: false, reason: 'there is none', remedy: 'install one' } as const;
  expect(levels(await checkSandbox(mode, () => Promise.resolve(none)))).toEqual([level]);
  const works = { works: true, program: 'bwrap', version: null } as const;
  expect(levels(await checkSandbox(mode, () => Promise.resolve(works)))).toEqual(['ok']);
});

test('a SQLite that does not keep its promises ends the look at the sessions', () => {
  const trial = () => ({ works: false, reason: 'too old' }) as const;
  expect(checkDatabase({ trial, countSessions: () => 1 }).map(({ what }) => what)).toEqual([
    'too old',
  ]);
});

test('every error and warning of the configuration is a finding', () => {
  const facts = { workspace: '/w', files: [], warnings: ['odd'], trust: 'changed' };
  expect(levels(checkConfiguration({ ...facts, errors: ['a', 'b'] }))).toEqual([
    'problem',
    'problem',
    'warn',
    'warn',
  ]);
});

const KEPT: EndpointFacts = {
  at: 1_000,
  window: null,
  slots: null,
  trial: { at: 1_000, calls: 'calls', streams: true, json: null },
};

function remote(changes: Partial<EndpointPorts> = {}) {
  const kept: EndpointFacts[] = [];
  const question = {
    baseUrl: 'https://models.example/v1',
    model: 'm',
    key: { used: null, possible: ['OURO_API_KEY'] },
    local: false,
    mayTry: false,
    section: null,
    textCalls: false,
    windowWith: () => 128_000,
  };
  const ports: EndpointPorts = {
    now: () => 61_000,
    check: () => Promise.resolve({ ok: true, models: ['m'] }),
    facts: () => Promise.resolve({ window: 200_000, slots: null }),
    tryOut: () => Promise.reject(new Error('that would cost money')),
    kept: () => null,
    keep: (facts) => void kept.push(facts),
    ...changes,
  };
  return { kept, question, ports };
}

test('a server that may cost money is not tried out unasked; an earlier trial is shown with its age', async () => {
  const { question, ports, kept } = remote();
  const findings = await checkEndpoint(question, ports);
  const trial = findings.find(({ check }) => check === 'trial');
  expect(trial).toMatchObject({ level: 'warn' });
  expect(trial?.todo).toContain('ouro doctor --probe');
  expect(kept).toEqual([{ at: 61_000, window: 200_000, slots: null, trial: null }]);
  const later = remote({ kept: () => KEPT });
  const tools = (await checkEndpoint(later.question, later.ports)).find((f) => f.check === 'tools');
  expect(tools?.what).toBe('m calls tools (tried 1m00s ago)');
  expect(later.kept[0]?.trial).toEqual(KEPT.trial);
});

test('a trial that fails is a problem, and what an earlier one found stays', async () => {
  const error = { kind: 'not-found', message: 'no such model' } as const;
  const found = { calls: null, streams: null, json: null };
  const { question, ports, kept } = remote({
    kept: () => KEPT,
    tryOut: () => Promise.resolve({ found, error }),
  });
  const findings = await checkEndpoint({ ...question, mayTry: true }, ports);
  expect(findings.at(-1)).toMatchObject({ check: 'trial', level: 'problem' });
  expect(kept[0]?.trial).toEqual(KEPT.trial);
});

test('a server that is busy or away changes nothing of what is known', async () => {
  const busy = remote({
    check: () => Promise.resolve({ ok: true, busy: true, warning: 'loading' }),
  });
  expect(levels(await checkEndpoint(busy.question, busy.ports))).toEqual(['warn']);
  const error = { kind: 'network', message: 'nobody there' } as const;
  const away = remote({ check: () => Promise.resolve({ ok: false, error }), kept: () => KEPT });
  expect(levels(await checkEndpoint(away.question, away.ports))).toEqual(['problem', 'ok']);
  expect([...busy.kept, ...away.kept]).toEqual([]);
});
