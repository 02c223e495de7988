// Complete requests, headers and body, prepared before the measurement. Before each use, only the
// digits of the IDs are rewritten, so that sending a request costs almost nothing.

import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { type BatchTemplate, batchTemplate, ID_DIGITS } from './bodies.ts';

export type RequestsOptions = {
  readonly host: string;
  readonly writeKey: string;
  readonly eventsPerBatch: number;
  readonly connections: number;
  /** Compressed bodies cannot be patched: this number is prepared, and each is used once. */
  readonly gzipBodies: number | undefined;
};

export type Requests = {
  /** The mean size of an event's share of a body, before compression. */
  readonly eventBytes: number;
  /** The mean size of a body as sent. */
  readonly bodyBytes: number;
  /** The next request of a connection; undefined if there are no more. */
  next(connection: number): Buffer | undefined;
  /** The changing digits of the message IDs of a connection's last request. */
  lastIds(connection: number): string[];
};

/**
 * Distinct batches, so that no server can adapt to a single one. The bodies are the same, with the
 * same number of people, for all numbers of connections up to 512, because `identify` costs
 * Postgres per person.
 */
const EVENTS_OF_TEMPLATES = 51_200;
const GZIP_AT_ONCE = 64;

const gzip = promisify(gzipCallback);

export async function makeRequests(options: RequestsOptions): Promise<Requests> {
  return options.gzipBodies === undefined
    ? patchedRequests(options)
    : gzippedRequests(options, options.gzipBodies);
}

function patchedRequests(options: RequestsOptions): Requests {
  const { connections } = options;
  const perConnection = Math.ceil(EVENTS_OF_TEMPLATES / options.eventsPerBatch / connections);
  const templates = makeTemplates(options, perConnection * connections);
  const requests = templates.map(({ body, idOffsets }) => {
    const head = headOf(options, body.length, '');
    return {
      bytes: Buffer.concat([head, body]),
      idOffsets: idOffsets.map(offset => offset + head.length),
    };
  });
  const turns = new Uint32Array(connections);
  const requestOf = (connection: number, turn: number) =>
    requests[turn * connections + connection]!;
  let events = 0;
  return {
    ...sizesOf(options, templates),
    next(connection) {
      // Each connection has its own buffer, because the kernel may still be reading that of another
      // connection.
      const turn = turns[connection]!;
      turns[connection] = (turn + 1) % perConnection;
      const { bytes, idOffsets } = requestOf(connection, turn);
      for (const offset of idOffsets) writeId(bytes, offset, events++);
      return bytes;
    },
    lastIds(connection) {
      const turn = (turns[connection]! + perConnection - 1) % perConnection;
      const { bytes, idOffsets } = requestOf(connection, turn);
      return Array.from(idOffsets, offset => bytes.toString('latin1', offset, offset + ID_DIGITS));
    },
  };
}

async function gzippedRequests(options: RequestsOptions, count: number): Promise<Requests> {
  const distinct = Math.ceil(EVENTS_OF_TEMPLATES / options.eventsPerBatch);
  const templates = makeTemplates(options, distinct);
  const requests: Buffer[] = [];
  let events = 0;
  const compressed = async (template: BatchTemplate) => {
    const body = Buffer.from(template.body);
    for (const offset of template.idOffsets) writeId(body, offset, events++);
    const small = await gzip(body);
    requests.push(
      Buffer.concat([headOf(options, small.length, 'Content-Encoding: gzip\r\n'), small]),
    );
  };
  while (requests.length < count) {
    const start = requests.length;
    await Promise.all(
      Array.from({ length: Math.min(GZIP_AT_ONCE, count - start) }, (_, index) =>
        compressed(templates[(start + index) % distinct]!),
      ),
    );
  }
  let used = 0;
  const bytes = requests.reduce((sum, request) => sum + request.length, 0);
  return {
    ...sizesOf(options, templates),
    bodyBytes: bytes / count - headOf(options, 10_000, 'Content-Encoding: gzip\r\n').length,
    next: () => requests[used++],
    lastIds: () => [],
  };
}

function makeTemplates(options: RequestsOptions, count: number): BatchTemplate[] {
  const nowMs = Date.now();
  return Array.from({ length: count }, (_, number) =>
    batchTemplate(number, options.eventsPerBatch, options.writeKey, nowMs),
  );
}

function sizesOf({ eventsPerBatch }: RequestsOptions, templates: readonly BatchTemplate[]) {
  const bytes = templates.reduce((sum, { body }) => sum + body.length, 0) / templates.length;
  return { eventBytes: bytes / eventsPerBatch, bodyBytes: bytes };
}

function headOf({ host }: RequestsOptions, bodyBytes: number, more: string): Buffer {
  return Buffer.from(
    `POST /v1/batch HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n` +
      `Accept: */*\r\nContent-Type: application/json\r\n${more}Content-Length: ${bodyBytes}\r\n\r\n`,
  );
}

/**
 * The digits of a number in an order that looks random, like those of real IDs; no two are equal.
 */
function writeId(bytes: Buffer, offset: number, number: number): void {
  let mixed = Math.imul(number ^ (number >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  mixed ^= mixed >>> 16;
  for (let digit = 0; digit < ID_DIGITS; digit++) {
    bytes[offset + digit] = HEX_DIGITS[mixed & 15]!;
    mixed >>>= 4;
  }
}

const HEX_DIGITS = Buffer.from('0123456789abcdef');
