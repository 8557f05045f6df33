import { expect, test, vi } from 'vitest';
import { PASTE_LIMIT } from '../../tui/terminal/key-input.js';
import { entries, entry, hold, snapshot } from './example-session.js';
import { asked, hides, shows, start } from './running-dashboard.js';

test('Enter steers, Alt+Enter and Ctrl+Q queue, also when Alt+Enter comes in two parts', async () => {
  const { terminal, link } = start();
  await shows(terminal, 'entry 3');
  const sent: unknown[] = [];
  for (const [keys, mode] of [
    ['\r', 'steer'],
    ['\x1b\r', 'queue'],
    ['\x11', 'queue'],
  ] as const) {
    terminal.press('i');
    terminal.press(`say ${mode}`);
    await shows(terminal, `say> say ${mode}`);
    terminal.press(keys);
    sent.push({ do: 'send', text: `say ${mode}`, mode });
    await asked(link, ...sent);
  }
  terminal.press('isplit');
  await shows(terminal, 'say> split');
  terminal.press('\x1b');
  await hides(terminal, 'say>');
  terminal.press('\r');
  await asked(link, ...sent, { do: 'send', text: 'split', mode: 'queue' });
});

test('the line is edited at the cursor, which the terminal shows', async () => {
  const { terminal, link } = start();
  await shows(terminal, 'entry 3');
  terminal.press('i漢字c\x1b[D\x1b[Db\x7fB');
  await shows(terminal, 'say> 漢B字c');
  await vi.waitFor(() => expect(terminal.cursor).toEqual(['say> 漢B'.length + 1, 22]));
  terminal.press('\r');
  await asked(link, { do: 'send', text: '漢B字c', mode: 'steer' });
});

test('a paste is text, never commands', async () => {
  const { terminal, link } = start();
  await shows(terminal, 'entry 3');
  terminal.press('\x1b[200~Qyq\r\x1b[201~');
  await shows(terminal, 'press i first');
  terminal.press('i\x1b[200~two\r\nlines\x1b[201~');
  await shows(terminal, 'say> two⏎lines');
  terminal.press('\r');
  await asked(link, { do: 'send', text: 'two\nlines', mode: 'steer' });
  terminal.press(`i\x1b[200~${'x'.repeat(PASTE_LIMIT + 10)}\x1b[201~\r`);
  await vi.waitFor(() => expect(link.asked).toHaveLength(2), { timeout: 20_000 });
  expect(link.asked[1]).toMatchObject({ text: 'x'.repeat(PASTE_LIMIT) });
});

test('p pauses, and resumes when the session is held; P pauses now', async () => {
  const { terminal, link } = start();
  await shows(terminal, 'entry 3');
  terminal.press('p');
  await asked(link, { do: 'pause', now: false, until: null });
  await shows(terminal, 'pause: done');
  link.show(snapshot({ version: 2, state: 'held', holds: [hold()] }));
  await shows(terminal, 'state   held');
  terminal.press('p');
  terminal.press('P');
  await asked(
    link,
    { do: 'pause', now: false, until: null },
    { do: 'resume' },
    { do: 'pause', now: true, until: null },
  );
});

test('what could not be done is said, and unsent words come back', async () => {
  const { terminal, link } = start();
  await shows(terminal, 'entry 3');
  link.answer = () => Promise.reject(new Error('socket closed'));
  terminal.press('iprecious\r');
  await shows(terminal, 'The session did not answer: socket closed');
  terminal.press('i');
  await shows(terminal, 'say> precious');
});

test('z shows one panel without borders and Esc brings the others back', async () => {
  const { terminal } = start();
  await shows(terminal, 'Discoveries');
  terminal.press('z');
  await hides(terminal, 'Discoveries');
  expect(await terminal.text()).not.toMatch(/[│┌]/);
  terminal.press('\x1b');
  await shows(terminal, 'Discoveries');
});

test('the help is made from the key table and closes with Esc', async () => {
  const { terminal } = start({ size: [80, 40] });
  await shows(terminal, 'entry 3');
  terminal.press('?');
  await shows(terminal, 'Shift+Tab  previous panel');
  terminal.press('\x1b');
  await hides(terminal, 'previous panel');
});

test('Ctrl+C interrupts and says what a second one does; in attach that leaves', async () => {
  const { terminal, link, end } = start();
  await shows(terminal, 'entry 3');
  terminal.press('\x03');
  await shows(terminal, 'Ctrl+C again within 2 s leaves');
  await asked(link, { do: 'interrupt' });
  terminal.press('\x03');
  expect(await end).toEqual({ kind: 'left' });
});

test('in run a second Ctrl+C stops the session, but not after two seconds', async () => {
  const { terminal, link, end, pass } = start({ mode: 'run' });
  await shows(terminal, 'entry 3');
  terminal.press('\x03');
  await asked(link, { do: 'interrupt' });
  pass(2_001);
  terminal.press('\x03');
  await asked(link, { do: 'interrupt' }, { do: 'interrupt' });
  terminal.press('\x03');
  expect(await end).toEqual({ kind: 'stopped-by-user' });
  expect(link.asked.at(-1)).toEqual({ do: 'stop' });
});

test('leaving by Ctrl+C does not hang on a session that no longer answers', async () => {
  const { terminal, link, end } = start({ mode: 'run' });
  await shows(terminal, 'entry 3');
  link.answer = () => new Promise(() => undefined);
  terminal.press('\x03\x03');
  await vi.waitFor(() => expect(link.asked).toHaveLength(2));
  link.end({ kind: 'lost', reason: 'gone' });
  expect(await end).toEqual({ kind: 'stopped-by-user' });
});

test('Q asks, and only y stops the session', async () => {
  const { terminal, link } = start();
  await shows(terminal, 'entry 3');
  terminal.press('Q');
  await shows(terminal, 'Stop the session?');
  terminal.press('qxn');
  await hides(terminal, 'Stop the session?');
  expect(link.asked).toEqual([]);
  terminal.press('Qy');
  await asked(link, { do: 'stop' });
});

test('searching jumps to the match, shows it in a long entry, and says when there is none', async () => {
  const long = Array.from({ length: 40 }, (_, i) => (i === 30 ? 'the needle' : `line ${i}`));
  const log = [entry(1, long.join('\n'), { kind: 'result' }), ...entries(60).slice(1)];
  const { terminal } = start({ show: snapshot({ log }) });
  await shows(terminal, 'entry 60');
  terminal.press('/needle\r');
  await shows(terminal, 'the needle');
  expect(await terminal.text()).toContain('match 1 of 1: needle');
  terminal.press('/absent\r');
  await shows(terminal, 'Not found: absent');
});

test('e shows a long entry whole and shortens it again', async () => {
  const long = Array.from({ length: 12 }, (_, i) => `result line ${i + 1}`).join('\n');
  const { terminal } = start({ show: snapshot({ log: [entry(1, long, { kind: 'result' })] }) });
  await shows(terminal, '… 8 more lines [e]');
  terminal.press('e');
  await shows(terminal, 'result line 12');
  terminal.press('e');
  await hides(terminal, 'result line 12');
});
