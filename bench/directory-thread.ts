// A thread with the directory of an ingest worker, which reports when it has applied a change.

import { performance } from 'node:perf_hooks';
import { parentPort } from 'node:worker_threads';
import { Directory } from '../ingest/authenticate/directory.ts';
import type { ToWorker } from '../ingest/thread-messages.ts';

const directory = new Directory();
let busyMs = 0;

parentPort!.on('message', (message: ToWorker) => {
  if (message.kind !== 'directory') return;
  directory.apply(message.change, message.slots);
  // Includes the time to receive the message.
  const { active } = performance.eventLoopUtilization();
  const atMs = performance.timeOrigin + performance.now();
  parentPort!.postMessage({ atMs, busyMs: active - busyMs, keys: directory.size });
  busyMs = active;
});
