// Parses and validates the body of a POST /v1/batch with ingest's own code. So if the kit injects
// a fault instead of forwarding a request, it still detects a body that ingest would have refused.

import * as zlib from 'node:zlib';
import { checkEnvelope, tryBatch } from '../ingest/accept/accept-batch.ts';
import { giveBackBatch, parseBatch } from '../ingest/accept/parse-batch.ts';
import { decompress, isPlain } from '../ingest/http/decompress.ts';
import { BODY_BYTES_MAX } from '../ingest/limits.ts';

export type SentEvent = {
  readonly messageId: string;
  readonly timestamp: string;
  readonly [field: string]: unknown;
};

export type Verdict = { readonly code: string; readonly message: string };

export type Delivery = {
  /** After decompression. */
  readonly sizeBytes: number;
  /** Empty if the body could not be read. */
  readonly events: readonly SentEvent[];
  readonly sentAt: string | undefined;
  readonly writeKey: string | undefined;
  /** Why ingest would refuse the whole batch. */
  readonly problem: Verdict | undefined;
  /** The events that ingest would reject. */
  readonly rejected: readonly (Verdict & { readonly index: number })[];
};

/** The size up to which the kit decompresses a body that is larger than ingest accepts. */
const LOOK_BYTES_MAX = 64 * 1024 * 1024;

export async function readDelivery(bytes: Buffer, contentEncoding: string): Promise<Delivery> {
  const encoding = contentEncoding.trim().toLowerCase();
  const plain = isPlain(encoding) ? bytes : await decompress(bytes, encoding);
  if ('code' in plain) {
    const { code, message } = plain;
    return { ...shape(looseBytes(bytes, encoding)), problem: { code, message }, rejected: [] };
  }
  if (plain.length > BODY_BYTES_MAX) {
    const message = `The body has ${plain.length} bytes; the limit is ${BODY_BYTES_MAX}.`;
    return { ...shape(plain), problem: { code: 'PAYLOAD_TOO_LARGE', message }, rejected: [] };
  }
  return { ...shape(plain), ...judge(plain) };
}

function judge(bytes: Buffer): Pick<Delivery, 'problem' | 'rejected'> {
  const batch = parseBatch(bytes);
  if ('code' in batch) return { problem: batch, rejected: [] };
  try {
    if (!batch.writeKey) {
      const message = 'writeKey is missing from the body.';
      return { problem: { code: 'MISSING_WRITE_KEY', message }, rejected: [] };
    }
    const problem = checkEnvelope(batch);
    return { problem, rejected: problem === undefined ? tryBatch(batch).rejected : [] };
  } finally {
    giveBackBatch(batch);
  }
}

/** Extracts as much as possible from a body that ingest cannot parse. */
function looseBytes(bytes: Buffer, encoding: string): Buffer {
  try {
    const options = { maxOutputLength: LOOK_BYTES_MAX };
    if (encoding === 'br') return zlib.brotliDecompressSync(bytes, options);
    if (encoding === 'zstd') return zlib.zstdDecompressSync(bytes, options);
    return zlib.unzipSync(bytes, options);
  } catch {
    return Buffer.alloc(0);
  }
}

function shape(bytes: Buffer): Pick<Delivery, 'sizeBytes' | 'events' | 'sentAt' | 'writeKey'> {
  const body = parseOrNothing(bytes) as { batch?: unknown; sentAt?: unknown; writeKey?: unknown };
  return {
    sizeBytes: bytes.length,
    events: Array.isArray(body?.batch) ? (body.batch.filter(isObject) as SentEvent[]) : [],
    sentAt: typeof body?.sentAt === 'string' ? body.sentAt : undefined,
    writeKey: typeof body?.writeKey === 'string' ? body.writeKey : undefined,
  };
}

export function parseOrNothing(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
