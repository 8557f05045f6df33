import { expect, test } from 'vitest';
import type { ModelErrorKind } from '../../messages/model.js';
import { nextModel, route, type Routing } from '../../src/traffic/routing.js';
import { modelError } from '../support/session-samples.js';

const routing = (part: Partial<Routing>): Routing => ({
  strategy: 'single',
  overrides: {},
  cheap: null,
  powerful: null,
  switchAt: 3,
  ...part,
});

test.each<[name: string, routing: Routing, models: string[]]>([
  ['one model for all', routing({ cheap: 'small' }), ['own', 'own', 'own', 'own']],
  [
    'another one for some rounds',
    routing({ strategy: 'rounds', overrides: { 1: 'big', 3: 'small' } }),
    ['big', 'own', 'small', 'own'],
  ],
  [
    'a cheap one first',
    routing({ strategy: 'cheap-first', cheap: 'small', powerful: 'big' }),
    ['small', 'small', 'big', 'big'],
  ],
  [
    'a cheap one first, then the configured one',
    routing({ strategy: 'cheap-first', cheap: 'small' }),
    ['small', 'small', 'own', 'own'],
  ],
])('%s', (_, given, models) => {
  expect([1, 2, 3, 4].map((round) => route(given, 'own', round))).toEqual(models);
});

/** The models that a round asks when all fail the same way. */
function asked(kind: ModelErrorKind, fallback = ['second', 'third']): string[] {
  const error = modelError(kind);
  const models = ['own'];
  for (let first = error; ; first = modelError(kind)) {
    const next = nextModel(fallback, { model: models.at(-1) ?? '', error, first });
    if (next === null) return models;
    models.push(next);
  }
}

test.each<[fallback: string[], models: string[]]>([
  [[], ['own']],
  [
    ['second', 'third'],
    ['own', 'second', 'third'],
  ],
  [
    ['own', 'second'],
    ['own', 'second'],
  ],
  [
    ['second', 'second', 'third', 'second'],
    ['own', 'second', 'third'],
  ],
])('with %j as fallback a round asks %j', (fallback, models) => {
  expect(asked('overloaded', fallback)).toEqual(models);
});

test.each<[ModelErrorKind, boolean]>([
  ['overloaded', true],
  ['rate-limit', true],
  ['server', true],
  ['not-found', true],
  ['auth', false],
  ['network', false],
  ['stalled', false],
  ['bad-request', false],
  ['context-overflow', false],
  ['empty', false],
])('whether another model is asked after %s: %s', (kind, isAsked) => {
  expect(asked(kind).length > 1).toBe(isAsked);
});
