// Loaded into a real process by `--import`: carries out the order that a test has written into a
// file, at the very call that the order names.

import { readFileSync, writeFileSync } from 'node:fs';
import { type FileCall, watchFileCalls } from './file-calls.ts';
import { ORDERS_VARIABLE, type Order, reportOf } from './orders.ts';

/** Many times what an answer takes to leave the process. */
const A_MOMENT_MS = 50;

const file = process.env[ORDERS_VARIABLE];
if (file !== undefined)
  watchFileCalls({
    before(call) {
      const order = orderFor(call);
      if (order?.action === 'die before') die(order);
      if (order?.action === 'die instead') {
        setTimeout(die, A_MOMENT_MS, order);
        return 'never';
      }
      if (typeof order?.action !== 'object') return undefined;
      report(order);
      return order.action;
    },
    after(call) {
      const order = orderFor(call);
      if (order?.action === 'die after') die(order);
    },
  });

function orderFor(call: FileCall): Order | undefined {
  if (call.path === file || call.path === reportOf(file!)) return undefined;
  const order = currentOrder();
  if (order === undefined || order.kind !== call.kind) return undefined;
  if (!new RegExp(order.path).test(call.path)) return undefined;
  if (order.isNew !== undefined && order.isNew !== call.isNew) return undefined;
  if (order.isFirst !== undefined && order.isFirst !== (call.earlier === 0)) return undefined;
  if (order.bytes !== undefined && order.bytes !== call.bytes) return undefined;
  return order;
}

function currentOrder(): Order | undefined {
  try {
    return JSON.parse(readFileSync(file!, 'utf8')) as Order;
  } catch {
    // There is none, or it is just being written.
    return undefined;
  }
}

function report(order: Order): void {
  writeFileSync(reportOf(file!), order.name);
}

/** Like kill -9 from outside, at an exact moment. */
function die(order: Order): never {
  report(order);
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
