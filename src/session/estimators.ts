/** The estimator of each model that a session asks: agents with the same model learn together. */
import { Estimator, type Weights } from '../../actors/context/estimator.js';

export class Estimators {
  readonly #known = new Map<string, { readonly estimator: Estimator; readonly first: Weights }>();
  readonly #firstOf: (model: string) => Weights | undefined;

  /** `firstOf`: what earlier sessions learned. */
  constructor(firstOf: (model: string) => Weights | undefined = () => undefined) {
    this.#firstOf = firstOf;
  }

  of(model: string): Estimator {
    const known = this.#known.get(model);
    if (known !== undefined) return known.estimator;
    const estimator = new Estimator(this.#firstOf(model));
    this.#known.set(model, { estimator, first: estimator.weights });
    return estimator;
  }

  /** Of those models whose server reported something to learn from. */
  learned(): ReadonlyMap<string, Weights> {
    return new Map(
      [...this.#known]
        .filter(([, { estimator, first }]) => estimator.weights !== first)
        .map(([model, { estimator }]) => [model, estimator.weights]),
    );
  }
}
