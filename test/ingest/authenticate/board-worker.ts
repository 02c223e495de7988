import { parentPort, workerData } from 'node:worker_threads';
import { type BoardLimit, QuotaBoard } from '../../../ingest/authenticate/quota-board.ts';

const { memory, limit, nowMs } = workerData as {
  memory: SharedArrayBuffer;
  limit: BoardLimit;
  nowMs: number;
};
const board = new QuotaBoard(memory);
let taken = 0;
for (let i = 0; ; i++) {
  const amount = 1 + (i % 7);
  if (board.take(limit, amount, nowMs)) {
    taken += amount;
    // Some is given back at once, as when another cap refuses.
    if (i % 5 === 0) {
      board.giveBack(limit, amount, nowMs);
      taken -= amount;
    }
  } else if (amount === 1) break;
}
parentPort?.postMessage(taken);
