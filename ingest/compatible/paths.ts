// The paths and headers that the clients of other vendors use.

/** The event type of each path. */
export const EVENT_PATHS: Readonly<Record<string, string>> = {
  '/v1/track': 'track',
  '/v1/t': 'track',
  '/v1/identify': 'identify',
  '/v1/i': 'identify',
  '/v1/page': 'page',
  '/v1/p': 'page',
  '/v1/screen': 'screen',
  '/v1/s': 'screen',
  '/v1/group': 'group',
  '/v1/g': 'group',
  '/v1/alias': 'alias',
  '/v1/a': 'alias',
};
/** The last one is RudderStack's for `navigator.sendBeacon`, which cannot send headers. */
export const BATCH_PATHS: readonly string[] = ['/v1/import', '/v1/b', '/beacon/v1/batch'];
/** The paths of Jitsu's client in a page and, with its option `s2s`, on a server. */
export const JITSU_PATHS: Readonly<Record<string, string>> = Object.fromEntries(
  ['track', 'identify', 'page', 'group'].flatMap(type => [
    [`/api/s/${type}`, type],
    [`/api/s/s2s/${type}`, type],
  ]),
);
/** The paths of PostHog's clients. A slash at their end is ignored. */
export const POSTHOG_EVENT_PATHS: readonly string[] = ['/e', '/i/v0/e', '/batch', '/capture'];
export const POSTHOG_FLAGS_PATHS: readonly string[] = ['/flags', '/decide'];
export const POSTHOG_CONFIG_PATH = '/array/{write_key}/config';
export const SEGMENT_SETTINGS_PATH = '/v1/projects/{write_key}/settings';
/** Under /v1 as well, for clients whose address ends there. RudderStack's appends the slash. */
export const SOURCE_CONFIG_PATHS: readonly string[] = [
  '/sourceConfig',
  '/sourceConfig/',
  '/v1/sourceConfig',
  '/v1/sourceConfig/',
];

/**
 * The paths above that are not under /v1, for the proxies that forward requests to ingest (also in
 * deploy/nginx.conf).
 */
export const ROOT_PATHS =
  /^\/(sourceConfig\/?|beacon\/v1\/batch|api\/s\/.+|(e|i\/v0\/e|batch|capture|flags|decide)\/?|array\/.+)$/;

/** Headers that these clients send from a browser, besides those of every SDK endpoint. */
export const CLIENT_HEADERS: readonly string[] = [
  'AnonymousId',
  'Rsa-Recovered',
  'Rsa-Retry-Attempt',
  'Rsa-Retry-Reason',
  'Rsa-Since-First-Attempt',
  'Rsa-Since-Last-Attempt',
  'SentAt',
  'X-Enable-Debug',
  'X-IP-Policy',
  'X-Retry-Count',
  'X-Write-Key',
];
