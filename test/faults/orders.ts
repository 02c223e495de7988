// The commands of a test to a process with file faults, in a file that the process reads before
// each file call.

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
  /** Of that kind on that handle. */
  readonly isFirst?: boolean;
  /** See FileCall. */
  readonly bytes?: number;
  /**
   * Right before the call, right after it, or in its place a moment later, when whatever did not
   * wait for it has happened. An errno: it fails with that, each time until the order is taken back.
   */
  readonly action: 'die before' | 'die after' | 'die instead' | { readonly error: string };
};

export type Orders = {
  /** The environment of a process that is to obey. */
  readonly env: Readonly<Record<string, string>>;
  give(order: Order): void;
  takeBack(): void;
  /** The order that was carried out, by its name. */
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

/** The file in which a process reports the command that it executes. */
export function reportOf(file: string): string {
  return `${file}.carried-out`;
}
