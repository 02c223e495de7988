// Collects incoming items, so that they are rendered once per frame.

import type { Client } from 'urql';
import type { Sent } from '../../pieces/sent-event/sent.ts';
import { type Connection, followLive } from './follow-live.ts';
import {
  isSent,
  type LiveCounts,
  type LiveItem,
  type LiveVariables,
  sentOf,
} from './live-document.ts';

/** More than anybody reads; the reports have all of it. */
export const ROWS_MAX = 200;

export type LiveRow = { readonly key: number; readonly sent: Sent };

export type Live = {
  /** The newest first. */
  readonly rows: readonly LiveRow[];
  readonly connection: Connection;
  /** Came while paused; going on shows the newest of them. */
  readonly heldCount: number;
  /** Counted but not shown, because there are too many. */
  readonly notShownCount: number;
};

export const NOTHING_YET: Live = {
  rows: [],
  connection: { state: 'connecting' },
  heldCount: 0,
  notShownCount: 0,
};

export type Gathering = {
  readonly client: Client;
  readonly variables: LiveVariables;
  readonly onChange: (live: Live) => void;
  readonly onCounts: (counts: LiveCounts) => void;
};

export class LiveGathering {
  readonly #gathering: Gathering;
  #live = NOTHING_YET;
  #arrived: LiveRow[] = [];
  #isPaused = false;
  #frame = 0;
  #nextKey = 0;

  constructor(gathering: Gathering) {
    this.#gathering = gathering;
  }

  /** Ends with the function that it returns. */
  start(): () => void {
    const { client, variables } = this.#gathering;
    const stop = followLive({
      client,
      variables,
      onItem: item => this.#take(item),
      onConnection: connection => this.#change({ connection }),
    });
    return () => {
      stop();
      cancelAnimationFrame(this.#frame);
    };
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (!isPaused && this.#live.heldCount > 0) this.#change({ heldCount: 0 });
  }

  #take(item: LiveItem): void {
    if (item.__typename === 'LiveCounts') {
      this.#gathering.onCounts(item);
      if (item.notShown > 0)
        this.#change({ notShownCount: this.#live.notShownCount + item.notShown });
    } else if (isSent(item)) {
      this.#arrived.push({ key: this.#nextKey++, sent: sentOf(item) });
      if (this.#arrived.length > ROWS_MAX) this.#arrived.shift();
      this.#change(this.#isPaused ? { heldCount: this.#live.heldCount + 1 } : {});
    }
  }

  #change(part: Partial<Live>): void {
    this.#live = { ...this.#live, ...part };
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#show();
    });
  }

  #show(): void {
    if (!this.#isPaused && this.#arrived.length > 0) {
      const rows = [...this.#arrived.reverse(), ...this.#live.rows].slice(0, ROWS_MAX);
      this.#arrived = [];
      this.#live = { ...this.#live, rows };
    }
    this.#gathering.onChange(this.#live);
  }
}
