import { expect, test, vi } from 'vitest';
import type { Snapshot } from '../../messages/snapshot.js';
import { displayWidth } from '../../tui/text/sanitise.js';
import { agent, call, entries, entry, hold, MAIN, snapshot, START } from './example-session.js';
import { hides, shows, start } from './running-dashboard.js';

test('all four panels and the bottom line are on an 80×24 terminal', async () => {
  const { terminal } = start({
    show: snapshot({
      log: [entry(1, 'the first answer')],
      agents: [agent(), agent({ id: 'sub-1', parent: MAIN, phase: 'acting', round: 2 })],
      calls: [call('npm test')],
      holds: [hold({ until: START + 65_000 })],
      discoveries: [{ title: 'Uses ESM', description: 'everywhere' }],
      scripted: true,
    }),
  });
  await shows(terminal, 'the first answer');
  const text = await terminal.text();
  for (const part of [
    'state   running scripted',
    'hold    user 1m 05s',
    'tool    0s npm test',
    'round   3 of 50',
    'tokens  45.1k in, 2.1k out',
    'cost    unknown',
    'inbox   0 of 256, high 12',
    'sub-1 acting',
    'Uses ESM',
    'p pause',
  ]) {
    expect(text).toContain(part);
  }
});

test('leaving restores the screen, the modes and the title, and lets the session go on', async () => {
  const { terminal, link, end } = start();
  await shows(terminal, 'entry 3');
  expect(terminal.onAlternateScreen).toBe(true);
  expect(terminal.raw).toBe(true);
  terminal.press('q');
  expect(await end).toEqual({ kind: 'left' });
  await terminal.text();
  expect(terminal.onAlternateScreen).toBe(false);
  expect(terminal.raw).toBe(false);
  expect(link.asked).toEqual([]);
  expect(link.closed).toBe(true);
  for (const [on, off] of [
    ['\x1b[?2004h', '\x1b[?2004l'],
    ['\x1b[?1049h', '\x1b[?1049l'],
    ['\x1b[22;0t', '\x1b[23;0t'],
    ['\x1b[?25l', '\x1b[?25h'],
  ] as const) {
    expect(terminal.written).toContain(on);
    expect(terminal.written.lastIndexOf(off)).toBeGreaterThan(terminal.written.lastIndexOf(on));
  }
});

test('the title names the session and its state', async () => {
  const { terminal } = start();
  await vi.waitFor(() => expect(terminal.written).toContain('\x1b]2;ouro: survey running\x07'));
});

test('text of tools cannot control the terminal, and braces are only braces', async () => {
  const { terminal } = start({
    show: snapshot({
      name: 'na\x1b]0;owned\x07me',
      log: [
        entry(1, 'a {red-fg}b{/} \x1b[2Jc \x1b]52;c;ZXZpbA==\x07d \x9b31me\r\nf', {
          kind: 'result',
        }),
      ],
    }),
  });
  await shows(terminal, 'a {red-fg}b{/} c d e');
  expect(terminal.written).not.toContain('owned');
  expect(terminal.written).not.toContain(']52;');
  expect(terminal.written).not.toContain('\x9b');
});

test('wide characters line up and emoji take one cell', async () => {
  const log = [
    entry(1, '漢字テスト 漢字テスト 漢字テスト 漢字テスト 漢字テスト'),
    entry(2, 'bot 🤖 family 👨‍👩‍👧 flag 🇩🇪 done'),
    entry(3, `rare ${'𠀀'.repeat(18)} and 𝐛𝐨𝐥𝐝`),
  ];
  const { terminal } = start({ show: snapshot({ log }) });
  await shows(terminal, 'bot * family * flag * done');
  await shows(terminal, '𝐛𝐨𝐥𝐝');
  const rows = await terminal.rows();
  for (const row of rows.slice(1, 11)) {
    expect(displayWidth(row)).toBe(80);
    expect(row.startsWith('│') && row.endsWith('│')).toBe(true);
  }
});

test('a 40×12 terminal shows the log and one line, and Tab another panel', async () => {
  const { terminal } = start({ size: [40, 12] });
  await shows(terminal, 'entry 3');
  expect((await terminal.rows())[11]).toBe('running r3/50 · ctx 1.3k  ?');
  terminal.press('\t');
  await shows(terminal, 'main asking');
  expect(await terminal.text()).toContain('agents: running');
  expect(await terminal.text()).not.toContain('entry 3');
});

test('resizing to and fro leaves exactly the picture of a fresh start', async () => {
  const show = snapshot({ log: [...entries(60), entry(61, '漢字 wide')] });
  const fresh = start({ show });
  await shows(fresh.terminal, '漢字');
  const resized = start({ show });
  await shows(resized.terminal, '漢字');
  for (const [columns, rows] of [
    [40, 12],
    [200, 50],
    [20, 5],
    [1, 1],
    [80, 24],
  ] as const) {
    resized.terminal.resize(columns, rows);
  }
  await shows(resized.terminal, '漢字');
  expect(await resized.terminal.rows()).toEqual(await fresh.terminal.rows());
});

test('without colours nothing is coloured, with them the states are', async () => {
  const plain = start({ colour: false });
  await shows(plain.terminal, 'entry 3');
  expect(plain.terminal.colouredCells()).toBe(0);
  const coloured = start();
  await shows(coloured.terminal, 'entry 3');
  expect(coloured.terminal.colouredCells()).toBeGreaterThan(0);
});

test('the log follows its end until it is scrolled, and then says what is new below', async () => {
  const { terminal, link } = start({ show: snapshot({ log: entries(50) }) });
  await shows(terminal, 'entry 50');
  terminal.press('kk');
  await hides(terminal, 'entry 50');
  link.show(snapshot({ version: 2, log: entries(53) }));
  await shows(terminal, '↓ 3 new below');
  expect(await terminal.text()).not.toContain('entry 51');
  terminal.press('G');
  await shows(terminal, 'entry 53');
  terminal.press('g');
  await shows(terminal, 'entry 1\u0020');
});

test('streaming text is shown until the answer is in the log', async () => {
  const { terminal, link } = start();
  await shows(terminal, 'entry 3');
  link.stream({ type: 'agent.delta', agent: MAIN, round: 4, kind: 'text', text: 'half an ' });
  link.stream({ type: 'agent.delta', agent: MAIN, round: 4, kind: 'text', text: 'answer' });
  await shows(terminal, 'half an answer');
  link.stream({ type: 'lagged', dropped: 7 });
  await hides(terminal, 'half an');
  link.stream({ type: 'agent.delta', agent: MAIN, round: 4, kind: 'text', text: 'the rest' });
  await shows(terminal, 'the rest');
  link.show(
    snapshot({ version: 2, log: [...entries(3), entry(4, 'the whole answer', { round: 4 })] }),
  );
  await shows(terminal, 'the whole answer');
  expect(await terminal.text()).not.toContain('the rest');
});

test('the dashboard stays after the session has ended, until a key', async () => {
  const { terminal, link, end, pass } = start({ mode: 'run' });
  await shows(terminal, 'entry 3');
  link.end({ kind: 'bye', result: null });
  await shows(terminal, 'Ended');
  terminal.press('x');
  pass(1_000);
  await shows(terminal, 'entry 3');
  terminal.press('\r');
  expect(await end).toEqual({ kind: 'ended', result: null });
});

test('a lost session leaves its last picture with the reason, and R asks for a resume', async () => {
  const { terminal, link, end } = start();
  await shows(terminal, 'entry 3');
  link.end({ kind: 'lost', reason: 'the process ended (SIGKILL)' });
  await shows(
    terminal,
    'Lost the session. R resumes it, q leaves. Reason: the process ended (SIGKILL)',
  );
  expect(await terminal.text()).toContain('entry 3');
  terminal.press('R');
  expect(await end).toEqual({ kind: 'resume-wanted' });
});

test.each(['end', 'error'])('a terminal that is gone leaves (%s on the input)', async (event) => {
  const { terminal, link, end } = start();
  await shows(terminal, 'entry 3');
  terminal.input.emit(event, new Error('read EIO'));
  expect(await end).toEqual({ kind: 'left' });
  expect(link.asked).toEqual([]);
  // Writes that fail later are of no interest to anybody.
  terminal.output.emit('error', new Error('write EIO'));
});

test('SIGHUP leaves, SIGTERM ends, and both restore the terminal', async () => {
  for (const [signal, kind] of [
    ['SIGHUP', 'left'],
    ['SIGTERM', 'terminated'],
  ] as const) {
    const { terminal, signals, end } = start();
    await shows(terminal, 'entry 3');
    signals.emit(signal, signal);
    expect(await end).toEqual({ kind });
    await terminal.text();
    expect(terminal.onAlternateScreen).toBe(false);
    expect(terminal.raw).toBe(false);
    expect(signals.listenerCount(signal)).toBe(0);
  }
});

test('a defect restores the terminal before it is reported', async () => {
  const { terminal, link, end } = start();
  const outcome = end.catch((error: unknown) => error);
  await shows(terminal, 'entry 3');
  link.show({ ...snapshot({ version: 2 }), agents: null } as unknown as Snapshot);
  expect(await outcome).toBeInstanceOf(Error);
  await terminal.text();
  expect(terminal.onAlternateScreen).toBe(false);
});

test('suspending gives the terminal back and returning draws everything anew', async () => {
  const { terminal, signals, stopped } = start();
  await shows(terminal, 'entry 3');
  terminal.press('\x1a');
  await vi.waitFor(() => expect(stopped()).toBe(1));
  await terminal.text();
  signals.emit('SIGCONT', 'SIGCONT');
  await shows(terminal, 'entry 3');
  expect(terminal.onAlternateScreen).toBe(true);
  expect(terminal.raw).toBe(true);
});

test('an idle dashboard writes nothing', async () => {
  const { terminal } = start({ show: snapshot({ agents: [agent({ phase: 'gated' })] }) });
  await shows(terminal, 'main held');
  const before = terminal.written.length;
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(terminal.written.length).toBe(before);
});
