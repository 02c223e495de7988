// The headers that the base address forwards with a request and its response.

import type { IncomingMessage } from 'node:http';

/** Headers of the connection, not of the message. Expect was answered when the request arrived. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/** Ingest uses no cookies, and those of a page may exceed its limit for a request's head. */
export function requestHeaders(incoming: IncomingMessage, isWithoutCookies: boolean): string[] {
  const { headers, socket } = incoming;
  const left = isWithoutCookies
    ? /^(x-forwarded-(for|proto)|cookie)$/i
    : /^x-forwarded-(for|proto)$/i;
  const kept = endToEndHeaders(incoming.rawHeaders, headers.connection).filter(
    (_, index, all) => !left.test(all[index - (index % 2)] ?? ''),
  );
  const forwardedFor = [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean);
  kept.push('X-Forwarded-For', forwardedFor.join(', '));
  kept.push('X-Forwarded-Proto', String(headers['x-forwarded-proto'] ?? 'http'));
  // Explicit, because a body of unknown length of a GET or DELETE would be sent without framing.
  if (headers['transfer-encoding'] !== undefined) kept.push('Transfer-Encoding', 'chunked');
  return kept;
}

/** Alternating names and values, as received: same case, same order, duplicates included. */
export function endToEndHeaders(raw: readonly string[], connection: string | undefined): string[] {
  const named =
    connection
      ?.toLowerCase()
      .split(',')
      .map(name => name.trim()) ?? [];
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase();
    const isFraming = name === 'content-length' || name === 'host';
    if (HOP_BY_HOP.has(name) || (named.includes(name) && !isFraming)) continue;
    kept.push(raw[index]!, raw[index + 1]!);
  }
  return kept;
}
