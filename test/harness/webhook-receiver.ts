// A webhook receiver that records requests byte for byte, with configurable responses.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export type Received = {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type TestReceiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** Sets the status of all further responses; their text is irrelevant. */
  answer(status: number): void;
  stop(): Promise<void>;
};

/** A text that must not appear in any response, log or table. */
export const ANSWER_TEXT = 'what the receiver answers';

export async function startTestReceiver(): Promise<TestReceiver> {
  const received: Received[] = [];
  let status = 204;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const id = String(headers['webhook-id']);
      received.push({ id, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status, { 'x-answer': ANSWER_TEXT });
      response.end(status === 204 ? undefined : ANSWER_TEXT);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?token=of-the-path`,
    received,
    answer: next => {
      status = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** Returns the body; throws if it was not signed with this secret. */
export function verified(secret: string, { headers, body }: Received): Record<string, unknown> {
  return new Webhook(secret).verify(body, headers) as Record<string, unknown>;
}
