/**
 * Takes secrets out of what tools return, before anybody keeps it. What is taken out leaves a marker, and
 * text that holds a marker must not be written into a file.
 */
import { isSecretName } from './secret-names.js';

export type Redact = (text: string) => string;

/** Shorter values occur by chance in texts that have nothing to do with them. */
const MIN_SECRET = 12;

const MARKER = '[redacted:';

/** Words, numbers, paths: what stands in a variable named like a secret without being one. */
const NO_SECRET = /^(?:[A-Za-z]+|[\d.,_-]+|(?:~|\.{1,2}|\/[a-z]+)\/.*)$/;

/** Keys that are known by their shape, each with the name that takes its place. */
const SHAPES: readonly (readonly [string, RegExp])[] = [
  ['private-key', /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g],
  ['api-key', /\bsk-[A-Za-z0-9_-]{20,}/g],
  ['github-token', /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{40,})/g],
  ['gitlab-token', /\bglpat-[A-Za-z0-9_-]{20,}/g],
  ['aws-key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['google-key', /\bAIza[A-Za-z0-9_-]{35}/g],
  ['slack-token', /\bxox[abprs]-[A-Za-z0-9-]{10,}/g],
  ['npm-token', /\bnpm_[A-Za-z0-9]{36}\b/g],
];

export const holdsRedaction = (text: string): boolean => text.includes(MARKER);

/** The values that are taken for secrets. */
export const secretValues = (environment: NodeJS.ProcessEnv): readonly string[] =>
  Object.entries(environment).flatMap(([name, value = '']) =>
    isSecret(name, value) ? [value] : [],
  );

export function redactor(environment: NodeJS.ProcessEnv): Redact {
  const secrets = Object.entries(environment)
    .flatMap(([name, value = '']) => (isSecret(name, value) ? [{ name, value }] : []))
    // A secret that holds another one is replaced first.
    .sort((a, b) => b.value.length - a.value.length);
  return (text) => {
    let clean = text;
    for (const { name, value } of secrets)
      clean = clean.replaceAll(value, () => `${MARKER}${name}]`);
    for (const [name, shape] of SHAPES) clean = clean.replace(shape, `${MARKER}${name}]`);
    return clean;
  };
}

const isSecret = (name: string, value: string): boolean =>
  value.length >= MIN_SECRET && isSecretName(name) && !NO_SECRET.test(value);
