// A proxy between a client and ingest that forwards everything unchanged and records the client's
// requests.

import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { RecordedRequest } from './corpus.ts';
import { WRITE_KEY_PLACE } from './corpus.ts';

export type Recorder = {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** The statuses that ingest returned, in order. */
  readonly statuses: readonly number[];
  close(): Promise<void>;
};

const GZIP = Buffer.from([0x1f, 0x8b]);
/** The headers needed to repeat a request. */
const KEPT_HEADERS = ['content-type', 'content-encoding', 'anonymousid', 'user-agent'];

export async function startRecorder(target: string, writeKey: string): Promise<Recorder> {
  const requests: RecordedRequest[] = [];
  const statuses: number[] = [];
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const body = await bytesOf(incoming);
      const { method = '', url = '', headers } = incoming;
      if (method !== 'OPTIONS') requests.push(recorded(incoming, body, writeKey));
      const passed = request(`${target}${url}`, { method, headers, agent: false }, answer => {
        statuses.push(answer.statusCode ?? 0);
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      passed.end(body);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    statuses,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function recorded(
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
  writeKey: string,
): RecordedRequest {
  const kept = KEPT_HEADERS.flatMap(name => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  const isGzip = body.subarray(0, GZIP.length).equals(GZIP);
  const plain = isGzip ? gunzipSync(body) : body;
  const basic = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
  return {
    method,
    path: url.replaceAll(writeKey, WRITE_KEY_PLACE),
    headers: Object.fromEntries(kept) as Record<string, string>,
    hasBasicAuth: headers.authorization === basic,
    ...(isGzip ? { isGzip } : {}),
    body: plain.toString().replaceAll(writeKey, WRITE_KEY_PLACE),
  };
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
