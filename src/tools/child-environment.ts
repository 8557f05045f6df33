/** What a tool's process inherits: the person's environment without secrets and without our own settings. */
import type { CallId, SessionId } from '../../messages/ids.js';
import { CALL_VARIABLE, SESSION_VARIABLE } from './process-survivors.js';
import { isSecretName } from './secret-names.js';

/** The key agent's doors, and what a shell would run before the command or instead of it. */
const WITHHELD =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|BASH_ENV|ENV|BASH_FUNC_.*|CDPATH|SHELLOPTS|BASHOPTS|PS4)$/;

const OURS = /^OURO_/;

/** `scheme://user:password@host` is a secret under any name. */
const HOLDS_PASSWORD = /:\/\/[^/\s:@]*:[^/\s@]+@/;

/** Nobody is there to page, to answer a prompt, or to see colours. */
const UNATTENDED = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  TERM: 'dumb',
  NO_COLOR: '1',
  GIT_TERMINAL_PROMPT: '0',
};

export function withoutSecrets(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name, value = '']) =>
      !isSecretName(name) &&
      !OURS.test(name) &&
      !WITHHELD.test(name) &&
      !HOLDS_PASSWORD.test(value),
  );
  return { ...Object.fromEntries(kept), ...UNATTENDED };
}

export const forCall = (
  environment: NodeJS.ProcessEnv,
  session: SessionId,
  call: CallId,
): NodeJS.ProcessEnv => ({
  ...environment,
  [SESSION_VARIABLE]: session,
  [CALL_VARIABLE]: call,
});
