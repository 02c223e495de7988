import type { HttpRequest } from 'uWebSockets.js';

/** A request's line and headers, copied: uWebSockets.js keeps them only while its handler runs. */
export type Incoming = {
  readonly method: string;
  readonly path: string;
  readonly origin: string;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly contentLength: number;
  readonly writeKeyHeader: string;
  readonly organizationId: string;
  readonly propertyId: string;
};

export function copyIncoming(request: HttpRequest): Incoming {
  return {
    method: request.getCaseSensitiveMethod(),
    path: request.getUrl(),
    origin: request.getHeader('origin'),
    contentType: request.getHeader('content-type'),
    contentEncoding: request.getHeader('content-encoding').trim().toLowerCase(),
    contentLength: Number(request.getHeader('content-length')) || 0,
    writeKeyHeader: request.getHeader('x-service-write-key'),
    organizationId: request.getHeader('x-organization-id'),
    propertyId: request.getHeader('x-property-id'),
  };
}
