/** A turnstile: `opened()` waits, `open()` lets everyone through who is waiting at that moment. */
export class Gate {
  #waiting: (() => void)[] = [];

  opened(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  open(): void {
    if (this.#waiting.length === 0) return;
    const released = this.#waiting;
    this.#waiting = [];
    for (const resolve of released) resolve();
  }
}
