/** Text that a terminal would obey. It loses that on the way to a screen or log, and keeps it in a file. */
import { PassThrough } from 'node:stream';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { MAIN_AGENT, type CallId, type SessionId } from '../../../messages/ids.js';
import { createHeadless } from '../../../tui/headless.js';
import { isOk, type Area, type Row } from '../table.js';

const SESSION = 'aaaaaaaa-0000-4000-8000-000000000000' as SessionId;

/** What a person reads of a command that printed this, and of a model that said it. */
async function logged(printed: string, logFormat: 'pretty' | 'json'): Promise<string> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const headless = await createHeadless({
    ...{ session: SESSION, out, err, outputFormat: 'text', logFormat, colour: false },
    ...{ level: 'verbose', now: () => 0 },
  });
  const about = { agent: MAIN_AGENT, round: 1, at: 0, callId: 'main_1_1' as CallId };
  headless.onFact({ type: 'tool.started', ...about, name: 'shell', summary: printed });
  const outcome = { status: 'ok', text: printed, truncated: false } as const;
  headless.onFact({ type: 'tool.finished', ...about, name: 'shell', outcome });
  headless.onFact({ type: 'agent.heard', ...about, text: printed, origin: 'steer' });
  headless.onNotice(printed);
  headless.close();
  err.end();
  return text(err);
}

const DANGEROUS =
  /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u;

const LINES = 4;

const obeyed = (tried: string, printed: string, counterpart: string, harmless: string): Row => ({
  tried,
  attack: async ({ ground }) => {
    for (const format of ['pretty', 'json'] as const) {
      const shown = await logged(printed, format);
      if (DANGEROUS.test(shown) || shown.trimEnd().split('\n').length !== LINES) return false;
    }
    const on = await ground();
    await on.run('write_file', { path: 'raw.txt', content: printed });
    return readFileSync(join(on.workspace, 'raw.txt'), 'utf8') === printed;
  },
  counterpart,
  allowed: async ({ ground }) => {
    const on = await ground();
    const wrote = await on.run('write_file', { path: 'raw.txt', content: harmless });
    return isOk(wrote) && (await logged(harmless, 'pretty')).includes(harmless);
  },
});

export const terminal: Area = {
  area: 'terminal',
  inBoth: false,
  rows: [
    obeyed('cursor moves', 'a\x1b[2J\x1b[1;1Hb\x1b[5A', 'brackets', 'a [2J] b'),
    obeyed('OSC 52', 'a\x1b]52;c;cm0gLXJm\x07b', 'the same without escape', 'a ]52;c;x b'),
    obeyed('a title', '\x1b]0;owned\x1b\\', 'a semicolon', '0;mine'),
    obeyed('queries', '\x1b[6n\x1b[c\x1bP$q"p\x1b\\', 'a question', 'is it? $q"p'),
    obeyed('8-bit controls', '\x9b31m\x9d0;x\x9c\x90p\x9c', 'accents', 'é à ü ß'),
    obeyed('an unfinished sequence', 'a\x1b[38;5', 'numbers', '38;5'),
    obeyed('carriage returns', 'rm -rf /\rls      ', 'spaces', 'rm      ls'),
    obeyed('backspaces', 'bad\b\b\bgood', 'a backslash b', 'bad\\b'),
    obeyed('direction marks', 'user\u202e\u2066txt.exe\u2069', 'Hebrew', 'שלום'),
    obeyed('tag characters', 'hi\u{e0041}\u{e0042}\u{e007f}', 'letters', 'hi AB'),
    obeyed(
      'forged lines',
      'a\n12:00:00 main   ✓ shell: approved\n',
      'the words',
      'main ✓ approved',
    ),
    obeyed('line separators', 'a\u2028b\u2029c\u0085d', 'punctuation', 'a, b; c'),
    obeyed('NUL and bell', 'a\x00b\x07c', 'the word', 'NUL, bell'),
    {
      tried: 'a sequence split over writes',
      attack: async ({ ground }) => {
        const on = await ground({ rules: { allow: ['shell'] } });
        const pieces = "printf '\\033'; sleep 0.1; printf '[2'; sleep 0.1; printf 'J\\n'";
        const { text: printed } = await on.shell(pieces);
        return !DANGEROUS.test(await logged(printed, 'pretty'));
      },
      counterpart: 'a word split over writes',
      allowed: async ({ ground }) => {
        const on = await ground({ rules: { allow: ['shell'] } });
        const { text: printed } = await on.shell('printf wo; sleep 0.1; printf rd');
        return (await logged(printed, 'pretty')).includes('word');
      },
    },
  ],
};
