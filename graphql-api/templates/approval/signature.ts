import { createHmac, timingSafeEqual } from 'node:crypto';

/** `sha256=…` over the raw body. Serializing parsed JSON again would produce different bytes. */
export function signApprovalBody(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

export function isSignedBy(secret: string, body: Uint8Array, given: string | undefined): boolean {
  const expected = Buffer.from(signApprovalBody(secret, body));
  const said = Buffer.from(given ?? '');
  return said.length === expected.length && timingSafeEqual(said, expected);
}
