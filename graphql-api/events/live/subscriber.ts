// A subscription and its queue of unread items. Not an async generator, because a generator that
// awaits the next item cannot be ended.

import { isLookedFor, type LiveFilter, type LiveItem } from './live-item.ts';

/** A few seconds of items of a busy workspace. A client that is further behind is not reading. */
const WAITING_MAX = 1_000;
/** Far longer than the time after which a client that does not read is disconnected. */
const UNASKED_MS_MAX = 30_000;

type Next = IteratorResult<LiveItem, undefined>;
const DONE: Next = { done: true, value: undefined };

export class Subscriber implements AsyncIterableIterator<LiveItem, undefined> {
  readonly #filter: LiveFilter;
  readonly #onEnd: (subscriber: Subscriber) => void;
  #waiting: LiveItem[] = [];
  readonly #takers: ((next: Next) => void)[] = [];
  #isOver = false;
  #askedAtMs = performance.now();

  /** `onEnd` is called exactly once. */
  constructor(filter: LiveFilter, onEnd: (subscriber: Subscriber) => void) {
    this.#filter = filter;
    this.#onEnd = onEnd;
  }

  give(item: LiveItem): void {
    if (this.#isOver) return;
    if (this.#takers.length === 0 && performance.now() - this.#askedAtMs > UNASKED_MS_MAX) {
      this.end();
      return;
    }
    if (!isLookedFor(this.#filter, item)) return;
    const taker = this.#takers.shift();
    if (taker !== undefined) taker({ done: false, value: item });
    else if (this.#waiting.length < WAITING_MAX) this.#waiting.push(item);
    else this.end();
  }

  /** Discards the queue. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = [];
    for (const taker of this.#takers.splice(0)) taker(DONE);
    this.#onEnd(this);
  }

  next(): Promise<Next> {
    this.#askedAtMs = performance.now();
    const item = this.#waiting.shift();
    if (item !== undefined) return Promise.resolve({ done: false, value: item });
    if (this.#isOver) return Promise.resolve(DONE);
    return new Promise(resolve => void this.#takers.push(resolve));
  }

  return(): Promise<Next> {
    this.end();
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
