import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { WEBHOOK_HEADERS } from '../webhook-headers.ts';

export type ReceivedWebhook = {
  /** Identical for all retries and replays. Receivers deduplicate by it. */
  readonly id: string;
  readonly type: string;
  /** When the event occurred. */
  readonly timestamp: string;
  readonly data: unknown;
  /** Whether the ID was received before. */
  readonly isRepeat: boolean;
};

export type ReceiverOptions = {
  /** 0 selects a free port. */
  readonly port: number;
  readonly secret: string;
  /** The response status for a verified webhook. */
  readonly status: number;
  readonly onWebhook: (webhook: ReceivedWebhook) => void;
  /** Called with the reason if a request is not verified. */
  readonly onRefused: (reason: string) => void;
};

export type Receiver = { readonly url: string; readonly stop: () => Promise<void> };

const LOOPBACK = '127.0.0.1';
/** Far above the size of any webhook. */
const BODY_BYTES_MAX = 1024 * 1024;
/** The limit of remembered IDs. The oldest are forgotten first. */
const KNOWN_IDS_MAX = 10_000;

export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const webhook = new Webhook(options.secret);
  const knownIds = new Set<string>();
  const server = createServer((request, response) => {
    receive(request, response, webhook, knownIds, options).catch((error: unknown) => {
      options.onRefused((error as Error).message);
      response.destroy();
    });
  });
  server.listen(options.port, LOOPBACK);
  await once(server, 'listening');
  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  webhook: Webhook,
  knownIds: Set<string>,
  { status, onWebhook, onRefused }: ReceiverOptions,
): Promise<void> {
  // For example a browser that checks whether the receiver runs.
  if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
  const body = await bodyOf(request);
  if (body === undefined) return void response.writeHead(413).end();
  let verified: Pick<ReceivedWebhook, 'type' | 'timestamp' | 'data'>;
  try {
    // Verifies the raw bytes. Serializing parsed JSON again may produce different bytes.
    verified = webhook.verify(body, headersOf(request)) as typeof verified;
  } catch (error) {
    onRefused((error as Error).message);
    return void response.writeHead(401).end();
  }
  const id = String(request.headers['webhook-id']);
  const isRepeat = knownIds.has(id);
  knownIds.add(id);
  if (knownIds.size > KNOWN_IDS_MAX) knownIds.delete(knownIds.values().next().value!);
  const { type, timestamp, data } = verified;
  onWebhook({ id, type, timestamp, data, isRepeat });
  response.writeHead(status).end();
}

/** Returns undefined if the body is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(WEBHOOK_HEADERS.map(name => [name, String(headers[name] ?? '')]));
}
