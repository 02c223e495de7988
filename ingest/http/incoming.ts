import type { HttpRequest } from 'uWebSockets.js';

/** A request's line and headers, copied: uWebSockets.js keeps them only while its handler runs. */
export type Incoming = {
  readonly method: string;
  readonly path: string;
  readonly origin: string;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly contentLength: number;
  readonly organizationId: string;
  readonly propertyId: string;
  /** Two lengths for one body: whoever stands in front may have read the other. */
  readonly isAmbiguous: boolean;
};

export function copyIncoming(request: HttpRequest): Incoming {
  return {
    method: request.getCaseSensitiveMethod(),
    path: request.getUrl(),
    origin: request.getHeader('origin'),
    contentType: request.getHeader('content-type'),
    contentEncoding: request.getHeader('content-encoding').trim().toLowerCase(),
    contentLength: Number(request.getHeader('content-length')) || 0,
    organizationId: request.getHeader('x-organization-id'),
    propertyId: request.getHeader('x-property-id'),
    isAmbiguous: hasSeveralLengths(request),
  };
}

/** Request smuggling (RFC 9112, 6.3): uWebSockets.js would take the first of several. */
function hasSeveralLengths(request: HttpRequest): boolean {
  let lengths = 0;
  request.forEach(name => {
    if (name === 'content-length') lengths++;
  });
  return lengths > 1;
}
