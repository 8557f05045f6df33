/**
 * The model server of the configuration: whether it answers, takes the key, has the model, and what it and
 * the model can do. What is found out is kept for later sessions. Tokens are spent only where they are free
 * or somebody said so.
 */
import { duration } from '../../tui/text/amounts.js';
import type { EndpointFacts, EndpointTrial } from '../../messages/endpoint-facts.js';
import type { ModelError } from '../../messages/model.js';
import { ok, problem, warn, type Finding } from './finding.js';
import { trialFindings } from './trial.js';

export interface EndpointQuestion {
  readonly baseUrl: string;
  readonly model: string;
  /** The variable whose key is sent, and those that could hold one. */
  readonly key: { readonly used: string | null; readonly possible: readonly string[] };
  readonly local: boolean;
  /** A few tokens may be spent. */
  readonly mayTry: boolean;
  /** Name of its section in the configuration; null: it has none. */
  readonly section: string | null;
  readonly textCalls: boolean;
  /** Tokens that sessions make use of, given what the server reports. */
  readonly windowWith: (facts: EndpointFacts) => number;
}

export interface EndpointPorts {
  readonly now: () => number;
  check(): Promise<Answered | { readonly ok: false; readonly error: ModelError }>;
  facts(): Promise<Pick<EndpointFacts, 'window' | 'slots'>>;
  tryOut(): Promise<{
    readonly found: Omit<EndpointTrial, 'at'>;
    readonly error: ModelError | null;
  }>;
  /** What was found out before; null: nothing. */
  kept(): EndpointFacts | null;
  keep(facts: EndpointFacts): void;
}

interface Answered {
  readonly ok: true;
  readonly models?: readonly string[];
  readonly warning?: string;
  readonly busy?: true;
}

export async function checkEndpoint(
  question: EndpointQuestion,
  ports: EndpointPorts,
): Promise<readonly Finding[]> {
  const answered = await ports.check();
  const before = ports.kept();
  if (!answered.ok) return [refused(answered.error), ...remembered(before, ports.now())];
  if (answered.busy === true) {
    const what = answered.warning ?? `${question.baseUrl} is busy`;
    return [warn('endpoint', what, 'try again in a moment'), ...remembered(before, ports.now())];
  }
  const told = await ports.facts();
  const tried = question.mayTry ? await ports.tryOut() : null;
  const at = ports.now();
  const trial = tried?.error === null ? { ...tried.found, at } : (before?.trial ?? null);
  const facts: EndpointFacts = { ...told, at, trial };
  ports.keep(facts);
  return [
    reached(question, answered),
    keyFinding(question),
    ...modelFindings(question, answered),
    windowFinding(question, facts),
    slotsFinding(question, facts),
    ...(tried !== null && tried.error !== null
      ? [problem('trial', tried.error.message, 'a session would fail in the same way')]
      : trialFindings(question, trial, at)),
  ];
}

function refused({ kind, message }: ModelError): Finding {
  return kind === 'auth'
    ? problem('key', message, 'put the key into that variable, or into $OURO_HOME/.env')
    : problem('endpoint', message, 'start the server, or correct [model] base_url');
}

/** What sessions go on relying on meanwhile. */
function remembered(facts: EndpointFacts | null, now: number): readonly Finding[] {
  if (facts === null) return [];
  const { window, slots, at } = facts;
  const known = [
    window === null ? 'no window' : `a window of ${window} tokens`,
    slots === null ? 'no slots' : `${slots} slots`,
  ].join(', ');
  return [ok('known', `found ${duration(now - at)} ago: ${known}`)];
}

const reached = ({ baseUrl }: EndpointQuestion, { models }: Answered): Finding =>
  ok('endpoint', `${baseUrl} answers${models === undefined ? '' : `; models: ${models.length}`}`);

function keyFinding({ key, local }: EndpointQuestion): Finding {
  if (key.used !== null) return ok('key', `the key in ${key.used} was not refused`);
  if (local) return ok('key', 'none is set, and none was asked for');
  const names = key.possible.join(' or ');
  return warn('key', 'none is set; lists of models are often open to all', `set ${names}`);
}

function modelFindings({ model }: EndpointQuestion, answered: Answered): readonly Finding[] {
  const { models, warning } = answered;
  if (warning !== undefined)
    return [warn('model', warning, 'name a model that is listed, with -m or [model] name')];
  if (models === undefined || models.length === 0)
    return [ok('model', `${model}; the server has no list to look it up in`)];
  return [ok('model', `${model} is listed`)];
}

function windowFinding(question: EndpointQuestion, facts: EndpointFacts): Finding {
  const used = question.windowWith(facts);
  if (facts.window !== null)
    return ok('window', `${facts.window} tokens reported; sessions use ${used}`);
  const what = `not reported by the server; sessions take ${used} tokens`;
  return question.local
    ? warn('window', what, 'set [context] window to what the server was started with')
    : ok('window', what);
}

const slotsFinding = ({ local }: EndpointQuestion, { slots }: EndpointFacts): Finding =>
  slots === null
    ? ok('slots', `not reported: ${local ? '1 request' : '4 requests'} at once`)
    : ok('slots', `${slots} at once, as reported`);
