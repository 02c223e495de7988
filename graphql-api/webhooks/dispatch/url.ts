// Validates the URL of an endpoint. The addresses of its host are checked in resolve-host.ts.

import { isIP } from 'node:net';
import { type AddressOptions, isLoopback, isRefusedAddress } from './address.ts';

export const WEBHOOK_URL_LENGTH_MAX = 2048;

type WebhookTarget = {
  readonly protocol: 'https:' | 'http:';
  /** Without the brackets of a v6 address. */
  readonly hostname: string;
  readonly port: number;
  /** Includes the query. */
  readonly path: string;
  /** The value of the Host header. */
  readonly host: string;
};

type ReadUrl =
  | { readonly isOk: true; readonly target: WebhookTarget }
  | { readonly isOk: false; readonly fault: string };

const HTTPS_PORT = 443;

export function readWebhookUrl(text: string, options: AddressOptions): ReadUrl {
  if (text.length > WEBHOOK_URL_LENGTH_MAX)
    return refused(`The URL must have at most ${WEBHOOK_URL_LENGTH_MAX} characters.`);
  const url = URL.parse(text);
  if (url === null) return refused('The URL is not valid.');
  const { hostname: named, username, password, protocol } = url;
  const hostname = named.replace(/^\[|\]$/g, '');
  if (username !== '' || password !== '')
    return refused('The URL must not contain a user name or password.');
  if (text.includes('#')) return refused('The URL must not contain a fragment.');
  const isHere = options.isLoopbackAllowed && isLoopbackName(hostname);
  if (protocol !== 'https:' && !(isHere && protocol === 'http:'))
    return refused('The URL must begin with https://.');
  const port = url.port === '' ? defaultPortOf(protocol) : Number(url.port);
  if (!isHere && port !== HTTPS_PORT) return refused(`The port must be ${HTTPS_PORT}.`);
  if (isHere && options.servicePorts.has(port))
    return refused(`Port ${port} is used by the service itself.`);
  if (
    isIP(hostname) !== 0
      ? isRefusedAddress(hostname, port, options)
      : !isHere && !isPublic(hostname)
  )
    return refused('The host must be on the public internet.');
  const path = url.pathname + url.search;
  return { isOk: true, target: { protocol, hostname, port, path, host: url.host } };
}

/** Names that always refer to this machine (RFC 6761), and its addresses. */
export function isLoopbackName(hostname: string): boolean {
  return isLocalhost(hostname) || isLoopback(hostname);
}

export function isLocalhost(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(hostname);
}

/** Excludes names of private networks: names without a dot, and names reserved for that purpose. */
function isPublic(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '').toLowerCase();
  return name.includes('.') && !PRIVATE_NAMES.test(name);
}

const PRIVATE_NAMES = /\.(?:localhost|local|internal|lan|home\.arpa|intranet|corp|onion|invalid)$/;

function defaultPortOf(protocol: string): number {
  return protocol === 'http:' ? 80 : HTTPS_PORT;
}

function refused(fault: string): ReadUrl {
  return { isOk: false, fault };
}
