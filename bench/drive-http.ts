// Sends requests to one address on a fixed number of connections, one at a time on each. Raw
// sockets, because the load generator must use little of the measured machine.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Load, Measured } from './measured.ts';

type Headers = Readonly<Record<string, string>>;

export type HttpLoad = Load & {
  readonly url: string;
  /** The body of a POST, by its number. */
  readonly body: (count: number) => string;
  /** Computes values that depend on the body, such as its signature. */
  readonly headers: Headers | ((body: string) => Headers);
};

/** A 200 response without errors in its body. */
const OK = 'HTTP/1.1 200';
const ERRORS = '"errors":[{';
const CRLF = '\r\n';

/**
 * Without a rate, each response is followed by the next request. With a rate, requests are due at
 * even intervals, and the latency of a delayed request includes its wait; at the end, all due
 * requests are completed.
 */
export async function driveHttp(load: HttpLoad): Promise<Measured> {
  const latenciesMs: number[] = [];
  let failed = 0;
  const sockets = await Promise.all(
    Array.from({ length: load.connections }, () => open(new URL(load.url))),
  );
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + load.seconds * 1000;
  let count = 0;

  async function work(socket: Socket): Promise<void> {
    for (;;) {
      const number = count++;
      const dueAtMs =
        load.rate === undefined ? performance.now() : startedAtMs + (number * 1000) / load.rate;
      if (dueAtMs >= endsAtMs) return;
      await until(dueAtMs);
      const answer = await ask(socket, requestOf(load, number));
      latenciesMs.push(performance.now() - dueAtMs);
      if (!answer.startsWith(OK) || answer.includes(ERRORS)) {
        if (failed++ === 0) process.stderr.write(`\nthe first failed response:\n${answer}\n`);
      }
    }
  }
  await Promise.all(sockets.map(work));
  const seconds = (performance.now() - startedAtMs) / 1000;
  for (const socket of sockets) socket.destroy();
  return { latenciesMs, seconds, failed };
}

async function open({ hostname, port }: URL): Promise<Socket> {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return socket.setEncoding('latin1');
}

function requestOf({ url, body, headers }: HttpLoad, number: number): string {
  const { host, pathname } = new URL(url);
  const text = body(number);
  const given = typeof headers === 'function' ? headers(text) : headers;
  const lines = Object.entries({ host, ...given, 'content-length': Buffer.byteLength(text) });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join(CRLF);
  return `POST ${pathname} HTTP/1.1${CRLF}${head}${CRLF}${CRLF}${text}`;
}

function ask(socket: Socket, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const settle = (end: () => void) => {
      socket.off('data', onData).off('close', onClose).off('error', onError);
      end();
    };
    const onData = (chunk: string) => {
      answer += chunk;
      if (isWhole(answer)) settle(() => resolve(answer));
    };
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () => settle(() => reject(new Error(`the connection was closed: ${answer}`)));
    socket.on('data', onData).on('close', onClose).on('error', onError);
    socket.write(request);
  });
}

function isWhole(answer: string): boolean {
  const headEnd = answer.indexOf(CRLF + CRLF);
  if (headEnd < 0) return false;
  const length = /content-length: *(\d+)/i.exec(answer.slice(0, headEnd))?.[1];
  if (length === undefined) return answer.endsWith(`0${CRLF}${CRLF}`);
  return answer.length >= headEnd + 4 + Number(length);
}

/**
 * Timers are a millisecond or two late, which counts as waiting. Polling the clock until then would
 * use a whole core of the measured machine.
 */
async function until(dueAtMs: number): Promise<void> {
  for (let leftMs = dueAtMs - performance.now(); leftMs > 0; leftMs = dueAtMs - performance.now())
    await new Promise(resolve => setTimeout(resolve, Math.floor(leftMs)));
}
