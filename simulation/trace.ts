/** A history as lines that a person can read, in the order in which it happened. */
import type { Happening, Moment } from './happenings.js';

/** Of what does not matter to the order of things. */
const MAX_TEXT = 240;

export function traceLine({ step, at, life, what }: Moment, start: number): string {
  const place = `${step}`.padStart(6) + `${((at - start) / 1_000).toFixed(3)}s`.padStart(14);
  return `${place}  life ${life}  ${what.type}  ${cut(detailOf(what))}`.trimEnd();
}

const cut = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;

function detailOf(what: Happening): string {
  switch (what.type) {
    case 'life.began':
      return `${what.rows.length} rows read, ${what.holds.map(({ kind, scope }) => `${kind}/${scope}`).join(' ')}`;
    case 'life.ended':
      return `${what.result.status}: ${what.result.reason}`;
    case 'rows.handed':
      return what.facts
        .map(({ kind, agent, body }) => `${kind} ${agent} ${JSON.stringify(body)}`)
        .join('; ');
    case 'rows.acknowledged':
      return what.rows.map(({ seq, kind }) => `${seq} ${kind}`).join(', ');
    case 'request.sent': {
      const { agent, round = 0, model, messages } = what.request;
      return `${agent} round ${round}, ${model}, ${messages.length} messages`;
    }
    case 'request.ended':
      return `${what.agent} round ${what.round}: ${outcomeText(what.outcome)}`;
    case 'bug':
      return String(what.error);
    case 'fact':
      return JSON.stringify(what.fact);
    case 'person.acted':
      return `${JSON.stringify(what.action)} ${what.result === null ? '' : JSON.stringify(what.result)}`;
    default: {
      const { type: _, ...rest } = what;
      return JSON.stringify(rest);
    }
  }
}

function outcomeText(outcome: Extract<Happening, { type: 'request.ended' }>['outcome']): string {
  switch (outcome.status) {
    case 'ok': {
      const { text, calls } = outcome.reply;
      return [text, ...calls.map(({ name, argumentsText }) => `${name}(${argumentsText})`)].join(
        ' ',
      );
    }
    case 'failed':
      return `failed, ${outcome.error.kind}`;
    case 'cancelled':
      return 'cancelled';
  }
}
