// The gateway signs webhooks with base64(HMAC-SHA256(timestamp header + raw body)), without a
// separator. A digit at the start of the body could therefore be moved to the timestamp. Bodies are
// JSON objects, so a body that begins with anything but a brace is rejected.

import { createHmac, timingSafeEqual } from 'node:crypto';

type SignedBody = {
  /** The text of the header. */
  readonly timestamp: string;
  readonly body: Uint8Array;
  /** Decoded by decodeSignature. */
  readonly signature: Buffer;
};

const SIGNATURE_BYTES = 32;
const TIMESTAMP = /^\d{10,13}$/;
/** Timestamps in seconds have ten digits until the year 2286. */
const SECONDS_DIGITS = 10;
const OPENING_BRACE = 0x7b;

/** The signature header of a body, as the gateway would send it. */
export function signGatewayBody(secret: string, timestamp: string, body: Uint8Array): string {
  return hmac(secret, timestamp, body).toString('base64');
}

/**
 * The first candidate whose secret signed the body; undefined if there is none. The comparison is
 * constant-time.
 */
export function findSigner<Candidate extends { readonly secret: string }>(
  candidates: Iterable<Candidate>,
  { timestamp, body, signature }: SignedBody,
): Candidate | undefined {
  for (const candidate of candidates)
    if (timingSafeEqual(hmac(candidate.secret, timestamp, body), signature)) return candidate;
  return undefined;
}

/** Undefined unless the header is the canonical base64 encoding of 32 bytes. */
export function decodeSignature(header: string): Buffer | undefined {
  const bytes = Buffer.from(header, 'base64');
  const isWhole = bytes.length === SIGNATURE_BYTES && bytes.toString('base64') === header;
  return isWhole ? bytes : undefined;
}

/**
 * In milliseconds since 1970; undefined unless the header is a number of seconds or milliseconds.
 */
export function parseTimestamp(header: string): number | undefined {
  if (!TIMESTAMP.test(header)) return undefined;
  return Number(header) * (header.length === SECONDS_DIGITS ? 1000 : 1);
}

/** Whether the body can be a webhook, so that the timestamp and the body are split as signed. */
export function beginsLikeAnEvent(body: Uint8Array): boolean {
  return body[0] === OPENING_BRACE;
}

function hmac(secret: string, timestamp: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(timestamp).update(body).digest();
}
