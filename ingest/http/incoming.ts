import type { HttpRequest } from 'uWebSockets.js';

/** Copies the request line and headers, which uWebSockets.js keeps only while its handler runs. */
export type Incoming = {
  readonly method: string;
  readonly path: string;
  /** The query string without the question mark, still encoded. */
  readonly query: string;
  readonly origin: string;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly contentLength: number;
  readonly organizationId: string;
  readonly propertyId: string;
  readonly contactId: string;
  readonly userId: string;
  /** X-Service-Write-Key or the bearer token; empty if neither was sent. */
  readonly writeKey: string;
  /** The `Authorization` header. */
  readonly authorization: string;
  /** These four are set for a GET only, because no other endpoint needs them. */
  readonly host: string;
  readonly forwardedProto: string;
  readonly acceptEncoding: string;
  readonly ifNoneMatch: string;
  /** `Access-Control-Request-Headers` of an OPTIONS: what a page's request will send, in lower case. */
  readonly requestedHeaders: string;
  /** X-Request-Id, if it has a valid form; otherwise empty. */
  readonly requestId: string;
  /** All values of the payment gateway's headers. */
  readonly webhookHeaders: readonly (readonly [name: string, value: string])[];
  /** Whether the end of the body is ambiguous, so that a proxy may have found another one. */
  readonly isAmbiguous: boolean;
  /** Whether the connection must be closed because the following bytes may not be a request. */
  readonly isLast: boolean;
};

export function copyIncoming(request: HttpRequest): Incoming {
  const { lengths, encodings, webhookHeaders, requestId } = lookThrough(request);
  const method = request.getCaseSensitiveMethod();
  const authorization = request.getHeader('authorization');
  const isGet = method === 'GET';
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
    writeKey: request.getHeader('x-service-write-key') || bearer(authorization),
    authorization,
    host: isGet ? request.getHeader('host') : '',
    forwardedProto: isGet ? request.getHeader('x-forwarded-proto') : '',
    acceptEncoding: isGet ? request.getHeader('accept-encoding') : '',
    ifNoneMatch: isGet ? request.getHeader('if-none-match') : '',
    requestedHeaders:
      method === 'OPTIONS' ? request.getHeader('access-control-request-headers').toLowerCase() : '',
    requestId,
    webhookHeaders,
    isAmbiguous: isAmbiguous(lengths, encodings),
    // uWebSockets.js accepts chunks whose lines end in a bare LF or have no line end, and stops
    // parsing headers at one without a name, so a request without a length may have lost it that
    // way.
    isLast: encodings.length > 0 || (lengths.length === 0 && !MAY_BE_WITHOUT_BODY.has(method)),
  };
}

/** The same form as in the API. */
const REQUEST_ID = /^[A-Za-z0-9_.-]{8,64}$/;

const MAY_BE_WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

/** RFC 9112, 6.3. uWebSockets.js uses the first length and treats an empty one as absent. */
function isAmbiguous(lengths: readonly string[], encodings: readonly string[]): boolean {
  if (lengths.length + encodings.length > 1) return true;
  if (lengths.some(length => !/^\d+$/.test(length))) return true;
  return encodings.some(encoding => encoding.toLowerCase() !== 'chunked');
}

/** Web SDKs also send the key as a bearer token (spec, SDK write key 2). */
function bearer(authorization: string): string {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}

/** uWebSockets.js returns each byte of a header as one character. */
function utf8(header: string): string {
  return header === '' ? '' : Buffer.from(header, 'latin1').toString('utf8');
}

/** Collects every value of headers that may be repeated; `getHeader` returns only the first. */
function lookThrough(request: HttpRequest) {
  const lengths: string[] = [];
  const encodings: string[] = [];
  const webhookHeaders: [string, string][] = [];
  let requestId = '';
  request.forEach((name, value) => {
    if (name === 'content-length') lengths.push(value);
    else if (name === 'transfer-encoding') encodings.push(value);
    else if (name.startsWith('x-webhook-')) webhookHeaders.push([name, value]);
    else if (name === 'x-request-id' && REQUEST_ID.test(value)) requestId = value;
  });
  return { lengths, encodings, webhookHeaders, requestId };
}
