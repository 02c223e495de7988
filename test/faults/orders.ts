// The orders of a test to a process with file faults, in a file that the process reads before each
// file call.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileCall } from './file-calls.ts';

export const ORDERS_VARIABLE = 'TEST_FILE_ORDERS';

export type Order = {
  readonly name: string;
  readonly kind: FileCall['kind'];
  /** A regular expression that the path must match. */
  readonly path: string;
  readonly isNew?: boolean;
  /** True for the first call of this kind on its handle. */
  readonly isFirst?: boolean;
  /** See FileCall. */
  readonly bytes?: number;
  /**
   * Dies right before the call, right after it, or instead of it. The last happens after a short
   * delay, so that anything that did not wait for the call has happened. An errno makes the call
   * fail with it, every time until the order is withdrawn.
   */
  readonly action: 'die before' | 'die after' | 'die instead' | { readonly error: string };
};

export type Orders = {
  /** Environment variables for the process that receives orders. */
  readonly env: Readonly<Record<string, string>>;
  give(order: Order): void;
  takeBack(): void;
  /** The name of the order that was executed. */
  carriedOut(): string | undefined;
};

export function ordersIn(directory: string): Orders {
  const file = join(directory, 'orders.json');
  const preload = new URL('./obey-orders.ts', import.meta.url).href;
  return {
    env: { NODE_OPTIONS: `--import=${preload}`, [ORDERS_VARIABLE]: file },
    give(order) {
      rmSync(reportOf(file), { force: true });
      writeFileSync(file, JSON.stringify(order));
    },
    takeBack: () => rmSync(file, { force: true }),
    carriedOut: () =>
      existsSync(reportOf(file)) ? readFileSync(reportOf(file), 'utf8') : undefined,
  };
}

/** The file in which a process reports the order that it executes. */
export function reportOf(file: string): string {
  return `${file}.carried-out`;
}
