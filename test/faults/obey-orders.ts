// Loaded into a real process with `--import`. Executes the order that a test has written to a file,
// at exactly the call that the order specifies.

import { readFileSync, writeFileSync } from 'node:fs';
import { type FileCall, watchFileCalls } from './file-calls.ts';
import { ORDERS_VARIABLE, type Order, reportOf } from './orders.ts';

/** Many times longer than a response takes to leave the process. */
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
    // The file does not exist, or is still being written.
    return undefined;
  }
}

function report(order: Order): void {
  writeFileSync(reportOf(file!), order.name);
}

/** Like an external kill -9, but at an exact point. */
function die(order: Order): never {
  report(order);
  process.kill(process.pid, 'SIGKILL');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
