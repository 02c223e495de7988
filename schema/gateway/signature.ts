// How the gateway signs its webhooks: base64 of HMAC-SHA256 over the timestamp header and the body's
// bytes as they came, with nothing between the two. So a digit at a body's start could as well be the
// timestamp's end; since bodies are objects, one that begins with anything else is no webhook.

import { createHmac, timingSafeEqual } from 'node:crypto';

export type SignedBody = {
  /** The header's text. */
  readonly timestamp: string;
  readonly body: Uint8Array;
  /** Decoded; see decodeSignature. */
  readonly signature: Buffer;
};

const SIGNATURE_BYTES = 32;
const TIMESTAMP = /^\d{10,13}$/;
/** Seconds have ten digits until the year 2286. */
const SECONDS_DIGITS = 10;
const OPENING_BRACE = 0x7b;

/** The header's text for a body, as the gateway would send it. */
export function signGatewayBody(secret: string, timestamp: string, body: Uint8Array): string {
  return hmac(secret, timestamp, body).toString('base64');
}

/** The first that signed it, undefined when none did. Takes the same time whatever the signature. */
export function findSigner<Candidate extends { readonly secret: string }>(
  candidates: Iterable<Candidate>,
  { timestamp, body, signature }: SignedBody,
): Candidate | undefined {
  for (const candidate of candidates)
    if (timingSafeEqual(hmac(candidate.secret, timestamp, body), signature)) return candidate;
  return undefined;
}

/** Undefined unless it is the one way to write 32 bytes in base64. */
export function decodeSignature(header: string): Buffer | undefined {
  const bytes = Buffer.from(header, 'base64');
  const isWhole = bytes.length === SIGNATURE_BYTES && bytes.toString('base64') === header;
  return isWhole ? bytes : undefined;
}

/** In milliseconds since 1970; undefined unless it is a number of seconds or milliseconds. */
export function parseTimestamp(header: string): number | undefined {
  if (!TIMESTAMP.test(header)) return undefined;
  return Number(header) * (header.length === SECONDS_DIGITS ? 1000 : 1);
}

/** Whether the bytes can be a webhook's, so that the signature covers what it seems to. */
export function beginsLikeAnEvent(body: Uint8Array): boolean {
  return body[0] === OPENING_BRACE;
}

function hmac(secret: string, timestamp: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(timestamp).update(body).digest();
}
