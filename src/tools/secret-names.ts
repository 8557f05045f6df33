/** Which environment variables hold secrets, judged by their names; what they hold is judged by redaction. */

const ANYWHERE = /token|secret|passw(?:or)?d|passphrase|credential|api_?key/i;

/** Whole words between underscores: AUTHOR and KEYBOARD are no secrets. */
const AS_A_WORD = /(?:^|_)(?:key|keys|auth|pass|cookie|cookies|pat|dsn)(?:_|$)|_pwd$|_pw$/i;

export const isSecretName = (name: string): boolean => ANYWHERE.test(name) || AS_A_WORD.test(name);
