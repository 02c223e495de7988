// The demo's tokens for the console's sign-in page, so that one click signs in. They open the
// demo's organizations and the platform, so only this machine's own browser, on a page that came
// from here, is answered.

import type { IncomingMessage } from 'node:http';
import type { DemoTokens } from './demo-tokens.ts';

export const TOKENS_PATH = '/demo/tokens';

export type OfferTokens = () => Promise<DemoTokens | undefined>;

const OWN_NAMES = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const OWN_ADDRESSES = /^(?:127\.|::1$|::ffff:127\.)/;

/**
 * A connection from this machine, that asks for it by a name of its own, so that no other site's name
 * is made to point here, and not from another site's page. A proxy would make strangers look near.
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
