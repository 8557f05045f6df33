/** What a model did when it was tried out, and what to set because of it. */
import { duration } from '../../tui/text/amounts.js';
import type { EndpointTrial } from '../../messages/endpoint-facts.js';
import { ok, problem, warn, type Finding } from './finding.js';

export interface TriedEndpoint {
  readonly model: string;
  readonly mayTry: boolean;
  readonly section: string | null;
  readonly baseUrl: string;
  readonly textCalls: boolean;
}

const HOW = 'try it for a few tokens: ouro doctor --probe';

export function trialFindings(
  question: TriedEndpoint,
  trial: EndpointTrial | null,
  now: number,
): readonly Finding[] {
  if (trial === null) {
    const what = 'tool calls, streaming and JSON were not tried: that costs tokens here';
    return [warn('trial', what, HOW)];
  }
  const age = question.mayTry ? '' : ` (tried ${duration(now - trial.at)} ago)`;
  return [callsFinding(question, trial, age), streamFinding(trial, age), jsonFinding(trial, age)];
}

function callsFinding(question: TriedEndpoint, { calls }: EndpointTrial, age: string): Finding {
  const { model, textCalls } = question;
  switch (calls) {
    case 'calls':
      return ok('tools', `${model} calls tools${age}`);
    case 'text':
      return textCalls
        ? ok('tools', `${model} writes its calls as text, and text_calls is set${age}`)
        : warn('tools', `${model} writes its calls as text${age}`, textCallsAdvice(question));
    case 'none':
      return problem(
        'tools',
        `${model} did not call the tool that it was told to call${age}`,
        'choose a model that can use tools; a small one may only need another try',
      );
    case null:
      return warn('tools', `whether ${model} calls tools could not be told${age}`, HOW);
  }
}

/** Lines for the configuration. */
const textCallsAdvice = ({ section, baseUrl }: TriedEndpoint): string =>
  [
    'set in config.toml:',
    `[endpoints.${section ?? 'NAME'}]`,
    ...(section === null ? [`base_url = ${JSON.stringify(baseUrl)}`] : []),
    'text_calls = true',
  ].join('\n');

function streamFinding({ streams }: EndpointTrial, age: string): Finding {
  if (streams === true) return ok('stream', `answers arrive piece by piece${age}`);
  if (streams === null) return warn('stream', `could not be told${age}`, HOW);
  const advice =
    'if prompts are long, raise [model] first_token_timeout: the first piece is the last';
  return warn('stream', `answers arrive in one piece${age}`, advice);
}

function jsonFinding({ json }: EndpointTrial, age: string): Finding {
  if (json === true) return ok('json', `answers in JSON mode are JSON${age}`);
  if (json === null) return ok('json', `JSON mode: not known; sessions do without${age}`);
  return ok('json', `no JSON mode; sessions do without${age}`);
}
