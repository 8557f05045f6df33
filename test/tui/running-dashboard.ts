/** A dashboard on a terminal emulator, showing a session that does as the test says. */
import { EventEmitter } from 'node:events';
import { afterEach, expect, vi } from 'vitest';
import type { Snapshot } from '../../messages/snapshot.js';
import { runDashboard, type DashboardEnd, type DashboardMode } from '../../tui/dashboard.js';
import { entries, snapshot, START } from './example-session.js';
import { FakeLink } from './fake-link.js';
import { FakeTerminal } from './fake-terminal.js';

interface Running {
  readonly terminal: FakeTerminal;
  readonly link: FakeLink;
  readonly signals: EventEmitter;
  readonly end: Promise<DashboardEnd>;
  /** Moves the clock; nothing waits for it. */
  readonly pass: (ms: number) => void;
  readonly stopped: () => number;
}

const open: Running[] = [];

interface Start {
  readonly mode?: DashboardMode;
  readonly size?: readonly [number, number];
  readonly colour?: boolean;
  readonly show?: Snapshot;
}

export function start({
  mode = 'attach',
  size = [80, 24],
  colour = true,
  show,
}: Start = {}): Running {
  const terminal = new FakeTerminal(...size);
  const link = new FakeLink();
  const signals = new EventEmitter();
  let now = START;
  let stops = 0;
  link.show(show ?? snapshot({ log: entries(3) }));
  const end = runDashboard({
    link,
    mode,
    input: terminal.input,
    output: terminal.output,
    term: 'xterm-256color',
    colour,
    now: () => now,
    signals,
    stopProcess: () => void (stops += 1),
  });
  const pass = (ms: number): void => void (now += ms);
  const running = { terminal, link, signals, end, pass, stopped: () => stops };
  open.push(running);
  return running;
}

/** Leaves every dashboard a test has left open. */
afterEach(async () => {
  for (const { signals, end } of open.splice(0)) {
    signals.emit('SIGTERM', 'SIGTERM');
    await end.catch(() => undefined);
  }
});

/** Waits until it is on the screen. */
export const shows = (terminal: FakeTerminal, text: string): Promise<void> =>
  vi.waitFor(async () => expect(await terminal.text()).toContain(text), { timeout: 20_000 });

export const hides = (terminal: FakeTerminal, text: string): Promise<void> =>
  vi.waitFor(async () => expect(await terminal.text()).not.toContain(text), { timeout: 20_000 });

/** Waits until exactly this was asked of the session. */
export const asked = (link: FakeLink, ...actions: unknown[]): Promise<void> =>
  vi.waitFor(() => expect(link.asked).toEqual(actions), { timeout: 20_000 });
