/**
 * The dashboard on a terminal: events from the session, the keyboard and the clock go through one pure step;
 * what it asks for is done here. Promise: it ends exactly once, with how it was left, and the terminal is then
 * as it was before. It never writes to the session but through `act`.
 */
import type { ActionRequest, ActionResult } from '../messages/actions.js';
import type { AgentDelta } from '../messages/agents.js';
import { Oneshot } from '../messages/channels/oneshot.js';
import type { Millis } from '../messages/ids.js';
import type { Snapshot } from '../messages/snapshot.js';
import { pictureOf } from './dashboard-picture.js';
import { FrameClock } from './terminal/frame-clock.js';
import type { Screen, ScreenOptions, ScreenReports } from './screen.js';
import {
  initialView,
  type DashboardEnd,
  type DashboardMode,
  type Effect,
  type LinkEnd,
  type ViewEvent,
  type ViewState,
} from './view/view-model.js';
import { needsClock, step } from './view/view-state.js';

export type { DashboardEnd, DashboardMode } from './view/view-model.js';

/** The session, as the control socket shows it. */
export interface DashboardLink {
  /** Latest value: a slow reader skips some. */
  readonly snapshots: AsyncIterable<Snapshot>;
  readonly deltas: AsyncIterable<
    AgentDelta | { readonly type: 'lagged'; readonly dropped: number }
  >;
  readonly ended: Promise<LinkEnd>;
  act(action: ActionRequest): Promise<ActionResult>;
  close(): void;
}

export interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

interface DashboardOptions extends ScreenOptions {
  readonly link: DashboardLink;
  readonly mode: DashboardMode;
  now(): Millis;
  /** Where signals of the process are heard. */
  readonly signals?: SignalSource;
  /** Stops this process group as Ctrl+Z would. */
  readonly stopProcess?: () => void;
}

const TICK_MS = 1_000;
/** How long leaving waits for the session to confirm that it was told to stop. */
const STOP_ANSWER_MS = 3_000;
/** A process that may not be stopped, for want of job control, goes on after this time. */
const SUSPEND_MS = 200;

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGCONT'] as const;

class Dashboard implements ScreenReports {
  readonly #options: DashboardOptions;
  readonly #end = new Oneshot<DashboardEnd | { readonly error: unknown }>();
  readonly #frames: FrameClock;
  readonly #onSignal = (signal: NodeJS.Signals): void => this.#guard(() => this.#hear(signal));
  #screen: Screen | null = null;
  #state: ViewState;
  #ticking: NodeJS.Timeout | null = null;
  #isSuspended = false;

  constructor(options: DashboardOptions) {
    this.#options = options;
    this.#state = initialView(options.mode, { width: 0, height: 0 }, options.now());
    this.#frames = new FrameClock(
      () => this.#guard(() => this.#screen?.draw(pictureOf(this.#state))),
      () => this.#screen?.busy ?? false,
    );
  }

  async run(
    open: (options: ScreenOptions, reports: ScreenReports) => Screen,
  ): Promise<DashboardEnd> {
    const signals = this.#options.signals ?? process;
    for (const signal of SIGNALS) signals.on(signal, this.#onSignal);
    try {
      this.#screen = open(this.#options, this);
      this.onResize(this.#screen.size);
      this.#follow();
      const end = await this.#end.answer;
      if ('error' in end) throw end.error;
      return end;
    } finally {
      this.#frames.stop();
      if (this.#ticking !== null) clearInterval(this.#ticking);
      this.#screen?.close();
      for (const signal of SIGNALS) signals.off(signal, this.#onSignal);
      this.#options.link.close();
    }
  }

  onInput(input: ViewEvent): void {
    this.#dispatch(input);
  }

  onResize(size: ViewState['size']): void {
    this.#dispatch({ type: 'resize', size });
    // The terminal is blank now: nobody should see that.
    this.#frames.drawNow();
  }

  onLost(): void {
    this.#end.settle({ kind: 'left' });
  }

  /** An exception ends the dashboard, not the process, so that the terminal is restored before it is shown. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#end.settle({ error });
    }
  }

  #dispatch(event: ViewEvent): void {
    this.#guard(() => {
      if (this.#end.settled) return;
      const [state, effects] = step(this.#state, event, this.#options.now());
      this.#state = state;
      for (const effect of effects) this.#do(effect);
      this.#keepTime();
      this.#frames.request();
    });
  }

  #keepTime(): void {
    const wanted = needsClock(this.#state);
    if (wanted && this.#ticking === null) {
      this.#ticking = setInterval(() => this.#dispatch({ type: 'tick' }), TICK_MS);
    } else if (!wanted && this.#ticking !== null) {
      clearInterval(this.#ticking);
      this.#ticking = null;
    }
  }

  #do(effect: Effect): void {
    switch (effect.type) {
      case 'act':
        void this.#act(effect.action);
        return;
      case 'end':
        this.#end.settle(effect.end);
        return;
      case 'stop-and-end':
        void this.#stopAndEnd();
        return;
      case 'suspend':
        this.#suspend();
        return;
      case 'redraw':
        this.#screen?.forget();
        return;
    }
  }

  async #act(action: ActionRequest): Promise<void> {
    const result = await this.#ask(action);
    this.#dispatch({ type: 'acted', action, result });
  }

  async #ask(action: ActionRequest): Promise<ActionResult> {
    try {
      return await this.#options.link.act(action);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { ok: false, message: `The session did not answer: ${why}` };
    }
  }

  async #stopAndEnd(): Promise<void> {
    const enough = new Oneshot<null>();
    const timer = setTimeout(() => enough.settle(null), STOP_ANSWER_MS);
    await Promise.race([this.#ask({ do: 'stop' }), this.#options.link.ended, enough.answer]);
    clearTimeout(timer);
    this.#end.settle({ kind: 'stopped-by-user' });
  }

  /** Returns by SIGCONT, or by itself where the process could not be stopped. */
  #suspend(): void {
    this.#screen?.leave();
    this.#isSuspended = true;
    (this.#options.stopProcess ?? stopProcessGroup)();
    setTimeout(() => {
      if (this.#isSuspended) this.#onSignal('SIGCONT');
    }, SUSPEND_MS);
  }

  #hear(signal: NodeJS.Signals): void {
    if (signal === 'SIGTERM') this.#end.settle({ kind: 'terminated' });
    else if (signal === 'SIGHUP') this.onLost();
    else if (signal === 'SIGINT') this.#dispatch({ type: 'key', name: 'C-c', text: '' });
    else if (!this.#end.settled && this.#screen !== null) {
      this.#isSuspended = false;
      this.#screen.enter();
      this.onResize(this.#screen.size);
    }
  }

  #follow(): void {
    const { link } = this.#options;
    void this.#read(link.snapshots, (snapshot) => ({ type: 'snapshot', snapshot }));
    void this.#read(link.deltas, (item) =>
      item.type === 'lagged' ? item : { type: 'delta', delta: item },
    );
    link.ended.then(
      (end) => this.#dispatch({ type: 'ended', end }),
      (error: unknown) => this.#lose(error),
    );
  }

  /** Ends with the connection, which says why by itself. */
  async #read<T>(items: AsyncIterable<T>, eventOf: (item: T) => ViewEvent): Promise<void> {
    try {
      for await (const item of items) {
        if (this.#end.settled) return;
        this.#dispatch(eventOf(item));
      }
    } catch (error) {
      this.#lose(error);
    }
  }

  #lose(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#dispatch({ type: 'ended', end: { kind: 'lost', reason } });
  }
}

/** The whole group, as the terminal's own Ctrl+Z does: the shell waits for the group, not for one process. */
const stopProcessGroup = (): void => void process.kill(0, 'SIGTSTP');

/**
 * Shows a session until the person leaves or it is over. Rejects only for a defect, or when the terminal
 * cannot be opened; it is restored also then.
 */
export async function runDashboard(options: DashboardOptions): Promise<DashboardEnd> {
  const { openScreen } = await import('./screen.js');
  return new Dashboard(options).run(openScreen);
}
