// Collects the events of the list: those of the last minutes from the reports, and those that arrive.
// The list is drawn at most four times a second, however many arrive, and not while it is held.

import type { Client } from 'urql';
import { type Connection, followLive } from '../../pieces/live-feed/follow-live.ts';
import {
  isSent,
  type LiveCounts,
  type LiveItem,
  type LiveVariables,
  sentOf,
} from '../../pieces/live-feed/live-document.ts';
import type { Sent } from '../../pieces/sent-event/sent.ts';
import { type LiveRow, withStored } from './live-rows.ts';

/** More than anyone reads; the reports have all events. */
export const ROWS_MAX = 200;
/** Fast enough to look immediate. */
const DRAW_INTERVAL_MS = 250;
/** If more arrive between two draws, nobody can follow them: fewer draws cost less. */
const FEW = 3;
const BUSY_DRAW_INTERVAL_MS = 750;

export type Live = {
  /** The newest first. */
  readonly rows: readonly LiveRow[];
  readonly connection: Connection;
  /** Arrived while the list is held. */
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
  readonly isWanted: (sent: Sent) => boolean;
  readonly onChange: (live: Live) => void;
  readonly onCounts: (counts: LiveCounts) => void;
};

export class LiveGathering {
  readonly #gathering: Gathering;
  #live = NOTHING_YET;
  #arrived: Sent[] = [];
  #earlier: readonly Sent[] = [];
  #isHeld = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #drawIntervalMs = DRAW_INTERVAL_MS;
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
      clearTimeout(this.#timer);
    };
  }

  /** While it is held, the list does not change. */
  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) this.#change({ heldCount: 0 });
  }

  /** Adds events of the reports; those that are in the list already are left out. */
  addEarlier(sents: readonly Sent[]): void {
    this.#earlier = [...this.#earlier, ...sents.filter(this.#gathering.isWanted)];
    this.#change({});
  }

  #take(item: LiveItem): void {
    if (item.__typename === 'LiveCounts') {
      this.#gathering.onCounts(item);
      if (item.notShown > 0)
        this.#change({ notShownCount: this.#live.notShownCount + item.notShown });
    } else if (isSent(item)) this.#add(sentOf(item));
  }

  #add(sent: Sent): void {
    if (!this.#gathering.isWanted(sent)) return;
    this.#arrived.push(sent);
    if (this.#arrived.length > ROWS_MAX) this.#arrived.shift();
    this.#change(this.#isHeld ? { heldCount: this.#live.heldCount + 1 } : {});
  }

  #change(part: Partial<Live>): void {
    this.#live = { ...this.#live, ...part };
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#draw();
    }, this.#drawIntervalMs);
  }

  #draw(): void {
    if (!this.#isHeld && this.#arrived.length + this.#earlier.length > 0)
      this.#live = { ...this.#live, rows: this.#nextRows() };
    this.#gathering.onChange(this.#live);
  }

  #nextRows(): readonly LiveRow[] {
    const isHighlighted = this.#arrived.length <= FEW;
    this.#drawIntervalMs = isHighlighted ? DRAW_INTERVAL_MS : BUSY_DRAW_INTERVAL_MS;
    const nextKey = () => this.#nextKey++;
    const arrived = this.#arrived.reverse().map(sent => ({ key: nextKey(), sent, isHighlighted }));
    const rows = withStored([...arrived, ...this.#live.rows], this.#earlier, nextKey);
    [this.#arrived, this.#earlier] = [[], []];
    return rows.slice(0, ROWS_MAX);
  }
}
