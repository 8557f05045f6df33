/**
 * How tasks of a kind are done: Markdown in `config/prompts/task`, and the kind of a goal by its words. It asks
 * no one, so it costs nothing and says the same of the same goal.
 */
import { arch, platform, release } from 'node:os';
import type { TaskTemplates } from '../actors/ports.js';
import { promptTemplate, rendered } from '../config/prompts.js';
import type { TaskClass, TaskType } from '../messages/task-types.js';

/** Words that speak for a kind of task. A goal says early what it is about: the first words count twice. */
const SIGNS: Readonly<Record<Exclude<TaskType, 'fallback'>, RegExp>> = {
  bug_fix:
    /\b(fix(es|ed|ing)?|bugs?|broken|crash(es|ed|ing)?|fail(s|ed|ing|ure)?|errors?|wrong|regressions?|repair|debug)\b/gi,
  feature: /\b(add|implement|create|build|support|introduce|new|features?|extend|write|make)\b/gi,
  maintenance:
    /\b(refactor(ing)?|clean ?up|upgrade|update|rename|move|remove|migrate|bump|simplify|format|lint|dependenc(y|ies)|docs?|documentation)\b/gi,
  query:
    /\b(what|why|how|where|which|who|when|explain|describe|list|find out|summari[sz]e|survey|review|analy[sz]e|compare)\b|\?/gi,
};

const FIRST_CHARS = 40;

/** A goal can be a long document; what it asks for stands at its beginning. */
const READ_CHARS = 2_000;

function weightOf(text: string, sign: RegExp): number {
  const found = [...text.matchAll(sign)];
  return found.length + found.filter(({ index }) => index < FIRST_CHARS).length;
}

export const taskTemplates: TaskTemplates = {
  loadTemplate: (type) => promptTemplate(`task/${type}`),
  renderTemplate: rendered,
  classifyTask(description) {
    const text = description.trim().slice(0, READ_CHARS);
    const weights = KINDS.map((type) => ({ type, weight: weightOf(text, SIGNS[type]) }));
    const total = weights.reduce((sum, { weight }) => sum + weight, 0);
    const [best, next] = weights.toSorted((a, b) => b.weight - a.weight);
    if (best === undefined || next === undefined || best.weight === next.weight) return UNKNOWN;
    return { type: best.type, confidence: Math.round((best.weight / total) * 100) / 100 };
  },
  getSystemInfo: () => `${platform()} ${release()} (${arch()})`,
};

const KINDS = ['bug_fix', 'feature', 'maintenance', 'query'] as const;

/** No word spoke for any kind, or as many for another. */
const UNKNOWN: TaskClass = { type: 'fallback', confidence: 0 };

/** For the first prompt; empty: the session does not go by the kind of its task. */
export function taskText(
  task: TaskClass | undefined,
  templates: TaskTemplates = taskTemplates,
): string {
  if (task === undefined) return '';
  const data = { task_type: task.type, system_info: templates.getSystemInfo() };
  return `\n\n${templates.renderTemplate(templates.loadTemplate(task.type), data)}`;
}
