// Replaces a ClickHouse server's queue of asynchronous inserts, which the embedded one lacks, as it
// reads rows from a file. Collects the rows of concurrent inserts, inserts them as one, and
// responds to each once they are stored. A separate process, whose CPU time counts as ClickHouse's.

import { App, type HttpResponse } from 'uWebSockets.js';
import { Agent, request as send } from 'node:http';
import { LOOPBACK } from '../../embedded/ports.ts';
import { serverSettings, tellListening } from './server-process.ts';

/** The minimum wait of a server for frequent inserts: async_insert_busy_timeout_min_ms. */
const WAIT_MS = 50;
/** async_insert_max_data_size. */
const BYTES_MAX = 10 * 1024 * 1024;
/** Settings of the client that would not reach the single insert into the embedded ClickHouse. */
const QUEUE_SETTINGS = ['async_insert', 'wait_for_async_insert', 'query_id'];

type Waiting = { readonly response: HttpResponse; readonly rows: Buffer };

const { port, clickhouseUrl } = serverSettings();
const agent = new Agent({ keepAlive: true });
const NEW_LINE = Buffer.from('\n');
let statement = '';
let waiting: Waiting[] = [];
let bytes = 0;
let timer: NodeJS.Timeout | undefined;

App()
  .post('/*', (response, request) => {
    const parameters = new URLSearchParams(request.getQuery());
    for (const name of QUEUE_SETTINGS) parameters.delete(name);
    // All inserts of the benchmark use the same statement.
    statement = parameters.toString();
    let isGone = false;
    response.onAborted(() => {
      isGone = true;
    });
    const chunks: Buffer[] = [];
    response.onData((chunk, isLast) => {
      chunks.push(Buffer.from(chunk.slice(0)));
      if (isLast && !isGone) enqueue({ response, rows: Buffer.concat(chunks) });
    });
  })
  .listen(LOOPBACK, port, socket => {
    if (!socket) throw new Error(`The insert queue cannot listen on ${port}.`);
    tellListening();
  });

function enqueue(item: Waiting): void {
  waiting.push(item);
  bytes += item.rows.length;
  if (bytes >= BYTES_MAX) flush();
  else timer ??= setTimeout(flush, WAIT_MS);
}

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  const items = waiting;
  waiting = [];
  bytes = 0;
  const rows = Buffer.concat(items.flatMap(item => [item.rows, NEW_LINE]));
  insert(rows).then(
    () => answer(items, '200 OK', ''),
    error => answer(items, '500 Internal Server Error', String(error)),
  );
}

function answer(items: readonly Waiting[], status: string, text: string): void {
  for (const { response } of items)
    response.cork(() => {
      response.writeStatus(status);
      response.end(text);
    });
}

function insert(rows: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = send(
      `${clickhouseUrl}/?${statement}`,
      { agent, method: 'POST', headers: { 'Content-Length': rows.length } },
      incoming => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        incoming.on('end', () => {
          if (incoming.statusCode === 200) resolve();
          else reject(new Error(text));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(rows);
  });
}
