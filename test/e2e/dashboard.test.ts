/** The dashboard on a real terminal, over a session of the built program. Without tmux there is no terminal. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { nextRequest, snapshotOf, start } from '../support/e2e/background.js';
import { asked, done, ouro } from '../support/e2e/command-line.js';
import { onlySession } from '../support/e2e/journal.js';
import {
  askAt,
  call,
  FINISH,
  FINISHED,
  modelServer,
  scenarioFile,
  untilTold,
  type TurnFile,
} from '../support/e2e/model-server.js';
import { newPlace, type Place } from '../support/e2e/place.js';
import { eventually } from '../support/e2e/poll.js';
import { hasTmux, Terminal } from '../support/e2e/terminal.js';

const LONG = Array.from({ length: 60 }, (_, n) => `word${n + 1}`).join(' ');

const talkative: readonly TurnFile[] = [
  { text: LONG, calls: [call('think', { thought: 'on' })] },
  ...untilTold,
];
/** Told to speak, it stops for good in the middle of what it says. */
const hesitating: readonly TurnFile[] = [
  { when: { contains: FINISH }, text: FINISHED },
  { when: { contains: 'speak up' }, text: LONG, chunk: 3_000, chunk_delay_ms: 600_000 },
  ...untilTold.slice(1),
];

const onTerminal = test.skipIf(!hasTmux);

/** Keys right after the end are taken for words that came too late, so this one comes later. */
async function closeEnded(terminal: Terminal, how: string): Promise<number> {
  await terminal.shows(`Ended ${how}`);
  await sleep(500);
  terminal.press('q');
  return terminal.exitCode();
}

const isGated = async (place: Place, id: string): Promise<boolean> =>
  (await snapshotOf(place, id)).agents[0]?.phase === 'gated';

onTerminal(
  'it shows text while it comes, breaks it off with P, takes words, goes on with p',
  async () => {
    const place = newPlace();
    const server = await modelServer(hesitating);
    const terminal = await Terminal.open(place);
    terminal.ouro('run', 'Go on.', ...askAt(server));
    await terminal.shows('think on and on');
    expect(terminal.isAlternate).toBe(true);
    const id = onlySession(place);
    await done(place, ['send', id, 'speak up']);
    expect(await terminal.shows('word2')).not.toContain('word60');

    terminal.press('P');
    await terminal.shows('held');
    await eventually('the gate', () => isGated(place, id));
    const before = server.requests.length;
    terminal.press('i');
    terminal.type(`${FINISH}, grüße 漢字`);
    await terminal.shows(`say> ${FINISH}, grüße 漢字`);
    terminal.press('Enter');
    await terminal.hides('say>');
    expect(server.requests.length).toBe(before);
    terminal.press('p');
    expect(await closeEnded(terminal, 'done')).toBe(0);
    expect(server.requests.length).toBe(before + 1);
    expect(server.requests.at(-1)?.body).toContain(`${FINISH}, grüße 漢字`);
    expect(terminal.screen).toContain(FINISHED);
    expect(terminal.isAlternate).toBe(false);
  },
);

onTerminal(
  'one that is attached in the middle of an answer shows what was said so far',
  async () => {
    const place = newPlace();
    const server = await modelServer(hesitating);
    const id = await start(place, server);
    await done(place, ['send', id, 'speak up']);
    await eventually('the answer to begin', () => server.requests.at(-1)?.turn === 2);
    const terminal = await Terminal.open(place);
    terminal.ouro('attach', id);
    await terminal.shows('Discoveries');
    await done(place, ['pause', id]);
    const screen = await terminal.shows('held');
    await done(place, ['kill', id]);
    expect(screen).toContain('word2');
  },
);

onTerminal(
  'q leaves the terminal as it was and the session at work; attach comes back, Q y stops it',
  async () => {
    const place = newPlace();
    const server = await modelServer(untilTold);
    const terminal = await Terminal.open(place);
    const settings = await terminal.settings();
    terminal.enter('clear; echo "what stood here before"');
    await terminal.shows(/^what stood here before$/m);
    const before = terminal.screen;

    terminal.ouro('run', 'Go on.', ...askAt(server));
    await terminal.shows('Discoveries');
    await terminal.hides('what stood here before');
    terminal.press('q');
    expect(await terminal.exitCode()).toBe(0);
    expect(terminal.screen.startsWith(before)).toBe(true);
    expect(terminal.screen).not.toContain('Discoveries');
    expect(terminal.cursorIsShown).toBe(true);
    expect(await terminal.settings()).toBe(settings);
    const id = onlySession(place).slice(0, 8);
    expect(terminal.screen).toContain(`ouro attach ${id}`);
    await nextRequest(server);

    terminal.ouro('attach', id);
    await terminal.shows('Discoveries');
    terminal.press('Q');
    await terminal.shows('y stops it');
    terminal.press('n');
    await terminal.hides('y stops it');
    terminal.press('Q');
    await terminal.shows('y stops it');
    terminal.press('y');
    expect(await closeEnded(terminal, 'stopped')).toBe(0);
    expect((await ouro(place, ['wait', id])).code).toBe(58);
    expect(await terminal.settings()).toBe(settings);
  },
);

onTerminal('a smaller and a larger terminal leave no debris', async () => {
  const place = newPlace();
  const server = await modelServer(talkative);
  const id = await start(place, server);
  await nextRequest(server);
  await nextRequest(server);
  await done(place, ['pause', id]);
  await eventually('the gate', () => isGated(place, id));
  const terminal = await Terminal.open(place);
  terminal.ouro('attach', id);
  await terminal.shows('held');
  await terminal.shows('Discoveries');
  const before = terminal.screen;

  terminal.resize(60, 18);
  const small = await terminal.hides('│');
  expect(Math.max(...small.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(small.split('\n').length).toBeLessThanOrEqual(18);
  expect(small).not.toContain('Discoveries');
  terminal.resize(100, 30);
  await terminal.shows('Discoveries');
  await eventually('the same picture', () => terminal.screen === before);

  terminal.press('q');
  expect(await terminal.exitCode()).toBe(0);
  await done(place, ['kill', id]);
});

onTerminal(
  'two dashboards show the same session, and one that leaves does not disturb the other',
  async () => {
    const place = newPlace();
    const server = await modelServer(untilTold);
    const id = await start(place, server);
    const [one, two] = [await Terminal.open(place), await Terminal.open(place)];
    for (const terminal of [one, two]) {
      terminal.ouro('attach', id);
      await terminal.shows('Discoveries');
    }
    one.press('p');
    await two.shows('held');
    one.press('q');
    expect(await one.exitCode()).toBe(0);
    two.press('p');
    await two.hides('held');
    await done(place, ['send', id, FINISH]);
    expect(await closeEnded(two, 'done')).toBe(0);
  },
);

onTerminal('Ctrl+C interrupts, and a second one stops the run with 130', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const terminal = await Terminal.open(place);
  const settings = await terminal.settings();
  terminal.ouro('run', 'Go on.', ...askAt(server));
  await terminal.shows('Discoveries');
  terminal.press('C-c', 'C-c');
  expect(await terminal.exitCode()).toBe(130);
  expect(terminal.cursorIsShown).toBe(true);
  expect(await terminal.settings()).toBe(settings);
  const id = onlySession(place);
  expect(terminal.screen).toContain(`ouro resume ${id.slice(0, 8)}`);
  expect((await ouro(place, ['wait', id])).code).toBe(58);
});

onTerminal('a run that is stopped with Q and y exits as the session ended', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const terminal = await Terminal.open(place);
  terminal.ouro('run', 'Go on.', ...askAt(server));
  await terminal.shows('Discoveries');
  terminal.press('Q', 'y');
  expect(await closeEnded(terminal, 'stopped')).toBe(58);
});

onTerminal('a rehearsal runs to its end on the dashboard, which stays until a key', async () => {
  const place = newPlace();
  const terminal = await Terminal.open(place);
  const turns = [{ calls: [call('list_dir', { path: '.' })] }, { text: 'That was the script.' }];
  terminal.ouro('rehearse', scenarioFile(place, turns));
  const screen = await terminal.shows('Ended done');
  expect(screen).toContain('That was the script.');
  expect(screen).toContain('scripted');
  expect(await closeEnded(terminal, 'done')).toBe(0);
  expect(terminal.screen).toContain('That was the script.');
});

onTerminal('a session that dies leaves its last picture, and R brings it back', async () => {
  const place = newPlace();
  const server = await modelServer(untilTold);
  const id = await start(place, server);
  const terminal = await Terminal.open(place);
  terminal.ouro('attach', id);
  await terminal.shows('Discoveries');
  const { data } = await asked(place, ['ls']);
  process.kill(data.sessions?.[0]?.pid ?? NaN, 'SIGKILL');
  await terminal.shows('Lost the session');
  terminal.press('R');
  await terminal.hides('Lost the session');
  await terminal.shows('Discoveries');
  await nextRequest(server);
  terminal.press('q');
  expect(await terminal.exitCode()).toBe(0);
  await done(place, ['stop', id]);
});

onTerminal(
  'a terminal that goes away takes the dashboard with it and leaves the session',
  async () => {
    const place = newPlace();
    const server = await modelServer(untilTold);
    const id = await start(place, server);
    const terminal = await Terminal.open(place);
    terminal.ouro('attach', id);
    await terminal.shows('Discoveries');
    terminal.close();
    await nextRequest(server);
    expect((await ouro(place, ['status', id])).code).toBe(0);
    await done(place, ['stop', id]);
  },
);
