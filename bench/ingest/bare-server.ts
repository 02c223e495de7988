// The upper limit: uWebSockets.js that only reads the body and parses it as JSON. One thread in a
// separate process, started by the benchmark.

import { App, type HttpResponse } from 'uWebSockets.js';
import { LOOPBACK } from '../../embedded/ports.ts';
import { serverSettings, tellListening } from './server-process.ts';

const ANSWER = '{"status":"SUCCESS"}';
const { port } = serverSettings();

App()
  .post('/v1/batch', (response, request) => {
    response.onAborted(() => undefined);
    readBody(response, Number(request.getHeader('content-length')), body => {
      const { batch } = JSON.parse(body.toString()) as { batch: readonly unknown[] };
      if (!Array.isArray(batch)) throw new Error('The load contains no batch.');
      response.cork(() => {
        response.writeHeader('Content-Type', 'application/json');
        response.end(ANSWER);
      });
    });
  })
  .listen(LOOPBACK, port, socket => {
    if (!socket) throw new Error(`The bare server cannot listen on ${port}.`);
    tellListening();
  });

/** The cheapest way to read the body: the load generator always sends its length. */
function readBody(response: HttpResponse, length: number, done: (body: Buffer) => void): void {
  const body = Buffer.allocUnsafe(length);
  let received = 0;
  response.onData((chunk, isLast) => {
    body.set(new Uint8Array(chunk), received);
    received += chunk.byteLength;
    if (isLast) done(body);
  });
}
