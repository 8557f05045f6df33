/** When to draw: soon after a change, never more often than the limit, and not while the terminal is behind. */

/** At most 30 frames a second; timers count whole milliseconds. */
const FRAME_MS = 34;

export class FrameClock {
  readonly #draw: () => void;
  readonly #isBusy: () => boolean;
  #timer: NodeJS.Timeout | null = null;
  #drawnAt = -Infinity;
  #stopped = false;

  constructor(draw: () => void, isBusy: () => boolean) {
    this.#draw = draw;
    this.#isBusy = isBusy;
  }

  /** Draws what is true when the time comes; asking twice draws once. */
  request(): void {
    if (this.#timer !== null || this.#stopped) return;
    const wait = Math.max(0, this.#drawnAt + FRAME_MS - performance.now());
    this.#timer = setTimeout(() => this.#due(), wait);
  }

  /** Draws at once; for a terminal that has just been cleared. */
  drawNow(): void {
    if (this.#stopped) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#drawnAt = performance.now();
    this.#draw();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #due(): void {
    this.#timer = null;
    if (!this.#isBusy()) {
      this.drawNow();
      return;
    }
    this.#drawnAt = performance.now();
    this.request();
  }
}
