/** Patterns in which `*` stands for any text. */

/** Greedy with one step back, so that no pattern and no text can make it slow, as a regular expression could. */
export function matchesWildcards(pattern: string, text: string): boolean {
  let [p, t] = [0, 0];
  let star = -1;
  let resumeAt = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p;
      p += 1;
      resumeAt = t;
    } else if (pattern[p] === text[t]) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      resumeAt += 1;
      t = resumeAt;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
