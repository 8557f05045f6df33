import { expect, test } from 'vitest';
import { bulkOf, FIRST_WEIGHTS } from '../../actors/context/estimator.js';
import { userMessage } from '../../actors/conversation.js';
import { Estimators } from '../../src/session/estimators.js';

const bulk = bulkOf(userMessage('some words of a person '.repeat(40), 'goal'));

test('agents with the same model learn together, and what is learned can be kept', () => {
  const estimators = new Estimators();
  const one = estimators.of('one');
  expect(estimators.of('one')).toBe(one);
  estimators.of('two');
  one.learn(bulk, one.tokens(bulk) * 2);
  expect([...estimators.learned().keys()]).toEqual(['one']);
  expect(estimators.learned().get('one')).toBe(one.weights);
});

test('a model begins with what earlier sessions learned', () => {
  const learned = { ...FIRST_WEIGHTS, words: 1.4 };
  const estimators = new Estimators((model) => (model === 'one' ? learned : undefined));
  expect(estimators.of('one').weights).toBe(learned);
  expect(estimators.of('two').weights).toBe(FIRST_WEIGHTS);
  expect(estimators.learned().size).toBe(0);
});
