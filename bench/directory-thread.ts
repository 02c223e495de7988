// A thread with the directory of a worker of ingest, which tells when it has applied a change.

import { performance } from 'node:perf_hooks';
import { parentPort } from 'node:worker_threads';
import { Directory } from '../ingest/authenticate/directory.ts';
import type { ToWorker } from '../ingest/thread-messages.ts';

const directory = new Directory();
let busyMs = 0;

parentPort!.on('message', (message: ToWorker) => {
  if (message.kind !== 'directory') return;
  directory.apply(message.change, message.slots);
  // Also what it took to receive the message.
  const { active } = performance.eventLoopUtilization();
  const atMs = performance.timeOrigin + performance.now();
  parentPort!.postMessage({ atMs, busyMs: active - busyMs, keys: directory.size });
  busyMs = active;
});
