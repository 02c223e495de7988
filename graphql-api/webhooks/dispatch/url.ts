// Which addresses (URLs) an endpoint may have. What its name resolves to is looked at by others.

import { isIP } from 'node:net';
import { type AddressOptions, isLoopback, isRefusedAddress } from './address.ts';

export const WEBHOOK_URL_LENGTH_MAX = 2048;

export type WebhookTarget = {
  readonly protocol: 'https:' | 'http:';
  /** Without the brackets of a v6 address. */
  readonly hostname: string;
  readonly port: number;
  /** With the query. */
  readonly path: string;
  /** As the Host header has it. */
  readonly host: string;
};

export type ReadUrl =
  | { readonly isOk: true; readonly target: WebhookTarget }
  | { readonly isOk: false; readonly fault: string };

const HTTPS_PORT = 443;

export function readWebhookUrl(text: string, options: AddressOptions): ReadUrl {
  if (text.length > WEBHOOK_URL_LENGTH_MAX)
    return refused(`The address is longer than ${WEBHOOK_URL_LENGTH_MAX} characters.`);
  const url = URL.parse(text);
  if (url === null) return refused('The address is not a URL.');
  const { hostname: named, username, password, protocol } = url;
  const hostname = named.replace(/^\[|\]$/g, '');
  if (username !== '' || password !== '')
    return refused('The address must have no user name or password.');
  if (text.includes('#')) return refused('The address must have no fragment.');
  const isHere = options.isLoopbackAllowed && isLoopbackName(hostname);
  if (protocol !== 'https:' && !(isHere && protocol === 'http:'))
    return refused('The address must begin with https://.');
  const port = url.port === '' ? defaultPortOf(protocol) : Number(url.port);
  if (!isHere && port !== HTTPS_PORT) return refused(`The port must be ${HTTPS_PORT}.`);
  if (isHere && options.servicePorts.has(port))
    return refused(`Port ${port} is one of the service’s own.`);
  if (
    isIP(hostname) !== 0
      ? isRefusedAddress(hostname, port, options)
      : !isHere && !isPublic(hostname)
  )
    return refused('The host must be on the public internet.');
  const path = url.pathname + url.search;
  return { isOk: true, target: { protocol, hostname, port, path, host: url.host } };
}

/** Names that mean this machine wherever they are looked up (RFC 6761), or one of its addresses. */
export function isLoopbackName(hostname: string): boolean {
  return isLocalhost(hostname) || isLoopback(hostname);
}

export function isLocalhost(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(hostname);
}

/** No name of a network of one's own: those without a dot, and those that are kept for that. */
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
