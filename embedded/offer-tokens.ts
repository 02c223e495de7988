// The demo's tokens for the console's sign-in page, so that one click signs in. They give access to
// the demo's organizations and the platform, so only a browser on this machine, on a page of this
// service, receives them.

import type { IncomingMessage } from 'node:http';
import type { DemoTokens } from './demo-tokens.ts';

export const TOKENS_PATH = '/demo/tokens';

export type OfferTokens = () => Promise<DemoTokens | undefined>;

const OWN_NAMES = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const OWN_ADDRESSES = /^(?:127\.|::1$|::ffff:127\.)/;

/**
 * The connection must come from this machine, use one of its host names (against DNS rebinding),
 * and not come from a page of another site. With a proxy, remote clients would look local.
 */
export function isOwnBrowser({ headers, socket }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return (
    OWN_ADDRESSES.test(socket.remoteAddress ?? '') &&
    OWN_NAMES.test(headers.host ?? '') &&
    headers['x-forwarded-for'] === undefined &&
    headers.forwarded === undefined &&
    (site === undefined || site === 'same-origin')
  );
}
