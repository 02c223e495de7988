// A process that receives webhooks as fast as possible, and reports their IDs and ages. Requests to
// /hang never receive a response.

import { App, us_socket_local_port } from 'uWebSockets.js';

export type ReceiverReport = {
  /** The number of distinct webhooks so far. */
  readonly ids: number;
  /** The time from event to arrival of each webhook since the last report, including repeats. */
  readonly latenciesMs: readonly number[];
};

const ids = new Set<string>();
let latenciesMs: number[] = [];
const CREATED = /"created_ms": ?(\d+)/;

const app = App();
app.post('/hang', answer => {
  answer.onAborted(() => undefined);
});
app.post('/*', (answer, request) => {
  const id = request.getHeader('webhook-id');
  let body = '';
  answer.onAborted(() => undefined);
  answer.onData((chunk, isLast) => {
    body += Buffer.from(chunk).toString('latin1');
    if (!isLast) return;
    ids.add(id);
    latenciesMs.push(Date.now() - Number(CREATED.exec(body)?.[1]));
    answer.end();
  });
});
app.listen('127.0.0.1', 0, socket => {
  if (socket === false) throw new Error('there is no port');
  process.send!({ port: us_socket_local_port(socket) });
});

process.on('message', () => {
  process.send!({ ids: ids.size, latenciesMs } satisfies ReceiverReport);
  latenciesMs = [];
});
process.on('disconnect', () => process.exit(0));
