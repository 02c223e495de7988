import type { HttpRequest } from 'uWebSockets.js';

/** A request's line and headers, copied: uWebSockets.js keeps them only while its handler runs. */
export type Incoming = {
  readonly method: string;
  readonly path: string;
  /** Behind the question mark, still encoded. */
  readonly query: string;
  readonly origin: string;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly contentLength: number;
  readonly organizationId: string;
  readonly propertyId: string;
  readonly contactId: string;
  readonly userId: string;
  /** X-Service-Write-Key, else a bearer token; empty when neither was sent. */
  readonly writeKey: string;
  /** The payment gateway's headers, each as often as it came. */
  readonly webhookHeaders: readonly (readonly [name: string, value: string])[];
  /** Where its body ends can be read in two ways, and whoever stands in front may have read the other. */
  readonly isAmbiguous: boolean;
  /** Nothing behind it on its connection may be taken for another request. */
  readonly isLast: boolean;
};

export function copyIncoming(request: HttpRequest): Incoming {
  const { lengths, encodings, webhookHeaders } = lookThrough(request);
  const method = request.getCaseSensitiveMethod();
  return {
    method,
    path: request.getUrl(),
    query: request.getQuery() ?? '',
    origin: request.getHeader('origin'),
    contentType: request.getHeader('content-type'),
    contentEncoding: request.getHeader('content-encoding').trim().toLowerCase(),
    contentLength: Number(request.getHeader('content-length')) || 0,
    organizationId: request.getHeader('x-organization-id'),
    propertyId: request.getHeader('x-property-id'),
    contactId: utf8(request.getHeader('x-contact-id')),
    userId: utf8(request.getHeader('x-user-id')),
    writeKey:
      request.getHeader('x-service-write-key') || bearer(request.getHeader('authorization')),
    webhookHeaders,
    isAmbiguous: isAmbiguous(lengths, encodings),
    // uWebSockets.js takes chunks whose lines end in a bare LF or not at all, and stops reading headers
    // at one without a name: a request that should have a length and has none may have lost it so.
    isLast: encodings.length > 0 || (lengths.length === 0 && !MAY_BE_WITHOUT_BODY.has(method)),
  };
}

const MAY_BE_WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

/** RFC 9112, 6.3; uWebSockets.js would take the first length, and an empty one for none. */
function isAmbiguous(lengths: readonly string[], encodings: readonly string[]): boolean {
  if (lengths.length + encodings.length > 1) return true;
  if (lengths.some(length => !/^\d+$/.test(length))) return true;
  return encodings.some(encoding => encoding.toLowerCase() !== 'chunked');
}

/** Web SDKs send the key as a bearer token too (spec, SDK write key 2). */
function bearer(authorization: string): string {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}

/** uWebSockets.js gives a header's bytes as one character each. */
function utf8(header: string): string {
  return header === '' ? '' : Buffer.from(header, 'latin1').toString('utf8');
}

/** Of what may come more than once, each; `getHeader` gives only the first. */
function lookThrough(request: HttpRequest) {
  const lengths: string[] = [];
  const encodings: string[] = [];
  const webhookHeaders: [string, string][] = [];
  request.forEach((name, value) => {
    if (name === 'content-length') lengths.push(value);
    else if (name === 'transfer-encoding') encodings.push(value);
    else if (name.startsWith('x-webhook-')) webhookHeaders.push([name, value]);
  });
  return { lengths, encodings, webhookHeaders };
}
