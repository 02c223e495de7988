import type { ShopDemo } from './ask.ts';
import { type Backend, openBackend } from './open-backend.ts';
import { receiveVisitors } from './receive-visitors.ts';
import { sendTraffic } from './send-traffic.ts';
import { takeFirstOrders, takeOrders } from './take-orders.ts';
import { Tally } from './tally.ts';

export type ShopOptions = {
  /** Events a second. */
  readonly rate: number;
  /** Closes it. */
  readonly signal: AbortSignal;
  /** A message for the user. */
  readonly onNote: (note: string) => void;
};

export type Shop = {
  readonly tally: Tally;
  /** Rejects if the shop cannot continue; it is then closed as well. */
  readonly closed: Promise<void>;
};

/** Resolves once every view has data. The shop continues until the signal is aborted. */
export async function openShop(demo: ShopDemo, options: ShopOptions): Promise<Shop> {
  const { signal, onNote } = options;
  const tally = new Tally();
  const backend = await openBackend(demo, { tally, onNote });
  try {
    if (demo.gatewayUrl === undefined)
      onNote('no payments: the service does not use the demo gateway');
    await takeFirstOrders(demo, { tally, signal });
    await backend.test();
  } catch (error) {
    await backend.close();
    throw error;
  }
  const closed = keepOpen(demo, { ...options, tally, backend });
  // The shop may fail before the caller waits for it.
  closed.catch(() => undefined);
  return { tally, closed };
}

type Kept = ShopOptions & { readonly tally: Tally; readonly backend: Backend };

async function keepOpen(demo: ShopDemo, { rate, tally, signal, backend }: Kept): Promise<void> {
  const failing = new AbortController();
  const until = AbortSignal.any([signal, failing.signal]);
  const streams = [
    sendTraffic(demo, { rate, tally, signal: until }),
    receiveVisitors(demo, { tally, signal: until }),
    takeOrders(demo, { tally, signal: until }),
  ];
  try {
    await Promise.all(streams);
  } finally {
    failing.abort();
    await Promise.allSettled(streams);
    await backend.close();
  }
}
