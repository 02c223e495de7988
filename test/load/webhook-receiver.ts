// A process that takes webhooks as fast as can be, and says which came and how old they were. What is
// sent to /hang never gets an answer.

import uws from 'uWebSockets.js';

export type ReceiverReport = {
  readonly port?: number;
  /** Of all that came since the last report; repeats counted. */
  readonly received: number;
  readonly ids: number;
  /** From the event to its arrival, of those since the last report. */
  readonly latenciesMs: readonly number[];
  readonly cpuSeconds: number;
};

const ids = new Set<string>();
let received = 0;
let latenciesMs: number[] = [];
const CREATED = /"created_ms": ?(\d+)/;

const app = uws.App();
app.post('/hang', answer => {
  answer.onAborted(() => undefined);
});
app.post('/*', (answer, request) => {
  const id = request.getHeader('webhook-id');
  answer.onAborted(() => undefined);
  let body = '';
  answer.onData((chunk, isLast) => {
    body += Buffer.from(chunk).toString('latin1');
    if (!isLast) return;
    received++;
    ids.add(id);
    latenciesMs.push(Date.now() - Number(CREATED.exec(body)?.[1]));
    answer.end();
  });
});
app.listen('127.0.0.1', 0, socket => {
  if (socket === false) throw new Error('no port');
  process.send!({ port: uws.us_socket_local_port(socket) });
});

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const cpuSeconds = (user + system) / 1e6;
  process.send!({ received, ids: ids.size, latenciesMs, cpuSeconds } satisfies ReceiverReport);
  latenciesMs = [];
  received = 0;
});
process.on('disconnect', () => process.exit(0));
