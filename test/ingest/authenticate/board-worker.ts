// A thread that sends as much as the caps of each account allow, as fast as it can.

import { parentPort, workerData } from 'node:worker_threads';
import { CapCheck } from '../../../ingest/authenticate/check-caps.ts';
import type { Account, CountedLimit } from '../../../ingest/authenticate/directory.ts';
import { QuotaBoard } from '../../../ingest/authenticate/quota-board.ts';
import { directoryData } from './accounts.ts';
import { buildDirectory } from './build-directory.ts';

const { memory, start, threads, limits, nowMs } = workerData as {
  memory: SharedArrayBuffer;
  start: SharedArrayBuffer;
  threads: number;
  limits: CountedLimit[][];
  nowMs: number;
};
const check = new CapCheck({
  board: new QuotaBoard(memory),
  askLease: () => Promise.reject(new Error('all is leased already')),
  onUncounted: () => undefined,
});
const someone = buildDirectory(directoryData()).accountOf('key-of-one-tenant')!;
const accounts = limits.map(own => ({ ...someone, limits: own }));
meetAtStart();
const admitted = accounts.map(sendAll);
parentPort?.postMessage(admitted);

function sendAll(account: Account): number {
  let sum = 0;
  for (let i = 0; ; i++) {
    const amount = 1 + (i % 3);
    const outcome = check.admit(account, amount, nowMs);
    if (outcome instanceof Promise) throw new Error('a lease was missing');
    if (outcome === undefined) sum += amount;
    else if (amount === 1) return sum;
  }
}

/**
 * All threads process the accounts in the same order, so slower threads contend with faster ones.
 */
function meetAtStart(): void {
  const arrived = new Int32Array(start);
  Atomics.add(arrived, 0, 1);
  Atomics.notify(arrived, 0);
  for (let count = Atomics.load(arrived, 0); count < threads; count = Atomics.load(arrived, 0)) {
    Atomics.wait(arrived, 0, count);
  }
}
