/**
 * What nobody has checked: changes and claims behind the newest command that looked like a check and passed.
 * A heuristic. It knows commands by their words, not by what they do: a check under another name is missed,
 * and one that tests something else counts.
 */
import type { Unverified } from './report.js';

/** As a word of a command, also behind a path or dashes. */
const CHECK =
  /(?:^|[\s(/:-])(?:test|tests|check|lint|typecheck|verify|e2e|spec|tsc|eslint|jest|vitest|mocha|ava|pytest|tox|nox|mypy|ruff|flake8|rspec|phpunit|ctest|clippy|vet|build|make|mvn|gradlew?|diff|cmp|shellcheck|bats)(?=$|[\s;&|):._-])/i;

/** Words with which a success is claimed. */
const CLAIM =
  /\b(?:pass(?:es|ed|ing)?|fix(?:es|ed)?|works?|working|verified|tested|checked|success(?:ful|fully)?|succeed(?:s|ed)?|correct(?:ly)?|complete[ds]?|resolved|implemented|builds|built|compiles|done|no (?:errors|failures|problems|issues)|as expected)\b/i;

/** What a person reads in a report; the whole text stands beside it. */
const MAX_CLAIMS = 10;
const MAX_CLAIM_CHARS = 300;

/** Programs that check nothing, whatever they are given: `rm -rf build` is no build. */
const NO_CHECK =
  /^[\s(]*(?:\w+=\S*\s+)*(?:\S*\/)?(?:awk|cat|cd|chmod|cp|curl|echo|find|git|grep|head|less|ln|ls|mkdir|mv|printf|rg|rm|rmdir|sed|sleep|tail|tar|tee|touch|wc|wget)(?=\s|$)/;

/** Any of its parts does. */
export const looksLikeCheck = (command: string): boolean =>
  command.split(/&&|\|\||[;|\n]/).some((part) => CHECK.test(part) && !NO_CHECK.test(part));

/** Sentences, or items of a list, that claim a success. */
export function claimsIn(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?])\s+/)
    .map((sentence) => sentence.replace(/^[\s>#*+-]+/, '').trim())
    .filter((sentence) => CLAIM.test(sentence))
    .slice(0, MAX_CLAIMS)
    .map((sentence) => sentence.slice(0, MAX_CLAIM_CHARS));
}

export class CheckTracker {
  #lastCheck: Unverified['last_check'] = null;
  readonly #changes = new Set<string>();
  /** A check has passed, and nothing was changed since. */
  #isProven = false;

  /** What was proven before says nothing about a new goal. */
  beginGoal(): void {
    this.#isProven = false;
  }

  change(what: string): void {
    this.#isProven = false;
    this.#changes.add(what);
  }

  check(command: string, exitCode: number): void {
    this.#lastCheck = { command, exit_code: exitCode };
    if (exitCode !== 0) {
      this.#isProven = false;
      return;
    }
    this.#isProven = true;
    this.#changes.clear();
  }

  result(finalWords: string): Unverified {
    return {
      method: 'heuristic',
      last_check: this.#lastCheck,
      changes_since: [...this.#changes],
      claims: this.#isProven ? [] : claimsIn(finalWords),
    };
  }
}
