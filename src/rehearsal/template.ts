/**
 * Text with gaps that are filled from the conversation when a turn answers:
 * `{{round}}`; `{{result.NAME}}`, the newest result of a tool; `{{result.NAME.REGEX}}`, the first capture
 * (or the whole match) in the newest result in which it matches; `{{count.NAME.REGEX}}`, how often it
 * matches in the newest result. `||` and a text behind a result says what to write when there is none.
 * `^` and `$` match at lines.
 */

/** What a template may look at. */
export interface Scene {
  readonly round: number;
  /** Results of the tool of this name, newest first; [] when there is none. */
  resultsOf(tool: string): readonly string[];
}

type Gap =
  | { readonly kind: 'round' }
  | { readonly kind: 'result'; readonly tool: string; readonly pattern: RegExp | null }
  | { readonly kind: 'count'; readonly tool: string; readonly pattern: RegExp };

interface Placeholder {
  /** As written, for messages. */
  readonly source: string;
  readonly gap: Gap;
  readonly otherwise: string | null;
}

export interface Template {
  readonly parts: readonly (string | Placeholder)[];
  /** The text, when it has no gaps. */
  readonly fixed: string | null;
}

export type Compiled<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

/** The closing braces are the last two of a run, so that a pattern may end in `{2}`. */
const PLACEHOLDER = /\{\{(.*?)\}\}(?!\})/gs;
const SYNTAX = /^(result|count)\.([\w-]+)(?:\.(.*?))?(?:\|\|(.*))?$/s;
const KNOWN = '{{round}}, {{result.TOOL}}, {{result.TOOL.REGEX}} and {{count.TOOL.REGEX}}';

export function compileTemplate(source: string): Compiled<Template> {
  const parts: (string | Placeholder)[] = [];
  let end = 0;
  for (const found of source.matchAll(PLACEHOLDER)) {
    const placeholder = compilePlaceholder(found[1] ?? '');
    if (!placeholder.ok) return placeholder;
    if (found.index > end) parts.push(source.slice(end, found.index));
    parts.push(placeholder.value);
    end = found.index + found[0].length;
  }
  if (end < source.length) parts.push(source.slice(end));
  return { ok: true, value: { parts, fixed: end === 0 ? source : null } };
}

function compilePlaceholder(source: string): Compiled<Placeholder> {
  if (source === 'round') {
    return { ok: true, value: { source, gap: { kind: 'round' }, otherwise: null } };
  }
  const [, kind, tool, regex, otherwise] = SYNTAX.exec(source) ?? [];
  if (tool === undefined) return unknown(source);
  const pattern = regex === undefined ? null : compilePattern(regex, 'gm');
  if (pattern !== null && !pattern.ok) return pattern;
  const gap = gapOf(kind, tool, pattern?.value ?? null);
  if (gap === null) return unknown(source);
  return { ok: true, value: { source, gap, otherwise: otherwise ?? null } };
}

function gapOf(kind: string | undefined, tool: string, pattern: RegExp | null): Gap | null {
  if (kind === 'result') return { kind: 'result', tool, pattern };
  return pattern === null ? null : { kind: 'count', tool, pattern };
}

const unknown = (source: string): { ok: false; message: string } => ({
  ok: false,
  message: `{{${source}}} is not a placeholder; there are ${KNOWN}`,
});

/** A pattern from a scenario; what is wrong with it is a value, not an exception. */
export function compilePattern(source: string, flags: string): Compiled<RegExp> {
  try {
    return { ok: true, value: new RegExp(source, flags) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Placeholders for which there was nothing are added to `missing`, and left out of the text. */
export function render(template: Template, scene: Scene, missing: string[]): string {
  if (template.fixed !== null) return template.fixed;
  return template.parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const found = fill(part.gap, scene) ?? part.otherwise;
      if (found === null) missing.push(`{{${part.source}}}`);
      return found ?? '';
    })
    .join('');
}

function fill(gap: Gap, scene: Scene): string | null {
  switch (gap.kind) {
    case 'round':
      return String(scene.round);
    case 'count':
      return String([...(scene.resultsOf(gap.tool)[0] ?? '').matchAll(gap.pattern)].length);
    case 'result':
      return capture(scene.resultsOf(gap.tool), gap.pattern);
  }
}

function capture(results: readonly string[], pattern: RegExp | null): string | null {
  if (pattern === null) return results[0] ?? null;
  for (const result of results) {
    // `matchAll` works on a copy of the pattern, so no position is carried from one call to the next.
    for (const found of result.matchAll(pattern)) return found[1] ?? found[0];
  }
  return null;
}
