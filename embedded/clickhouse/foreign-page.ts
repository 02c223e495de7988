// The interface has no authentication, so a web page that the developer opens must not reach the
// port: browsers send simple requests to any address, and a page's own host name may resolve to the
// loopback address. The same applies to a webhook, whose URL a tenant chooses: a query in the URL
// would insert the webhook's content.

import type { IncomingMessage } from 'node:http';
import { isWebhook } from '../webhook-headers.ts';
import { type Exception, exception } from './exception.ts';

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d+)?$/i;

/** Undefined: the request comes from a program on this machine, which sends no browser headers. */
export function foreignPage({ headers }: IncomingMessage): Exception | undefined {
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined || site === 'cross-site' || site === 'same-site')
    return exception('ACCESS_DENIED', 'The embedded engine rejects requests from web pages');
  if (isWebhook(headers)) return exception('ACCESS_DENIED', 'The embedded engine rejects webhooks');
  if (!LOOPBACK.test(headers.host ?? ''))
    return exception(
      'ACCESS_DENIED',
      'The embedded engine accepts only requests to loopback addresses',
    );
  return undefined;
}
