// Sends requests over persistent connections, at a steady rate.

import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export type Post = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: Buffer | string;
};

/** Status 0 if there was no response. */
export type Answer = { readonly status: number; readonly text: string };

/** A request without a response in this time has failed. */
const TIMEOUT_MS = 30_000;

export function createSender(connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    post: ({ url, headers, body }: Post) =>
      new Promise<Answer>(resolve => {
        const fail = (error: Error) => resolve({ status: 0, text: error.message });
        const own = {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        };
        const options = {
          agent,
          method: 'POST',
          headers: { ...own, ...headers },
          timeout: TIMEOUT_MS,
        };
        const sent = request(url, options, answer => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          answer.once('end', () => resolve({ status: answer.statusCode!, text }));
          answer.once('error', fail);
        });
        sent.once('timeout', () => sent.destroy(new Error('no response in time')));
        sent.once('error', fail);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

export type Steady = {
  readonly perSecond: number;
  readonly workers: number;
  /** Ends the load, after the requests in progress. */
  readonly signal: AbortSignal;
};

/**
 * Calls `send` with the numbers from 0 at even intervals, at most once at a time for each worker. A
 * call that is due while all workers are busy is made late, so the rate is kept on average.
 */
export async function steadily(
  { perSecond, workers, signal }: Steady,
  send: (number: number) => Promise<void>,
): Promise<void> {
  const startedMs = performance.now();
  let count = 0;
  const work = async () => {
    while (!signal.aborted) {
      const number = count++;
      const leftMs = startedMs + (number * 1000) / perSecond - performance.now();
      if (leftMs > 0) await wait(leftMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await send(number);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}
