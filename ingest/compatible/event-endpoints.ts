// The endpoints of Segment's, RudderStack's and Jitsu's clients.

import type { BatchEndpointDeps } from '../http/batch-endpoint.ts';
import type { CompatibleEndpoint } from '../http/sdk-endpoint.ts';
import type { Endpoint } from '../http/server.ts';
import { type Dialect, foreignEndpoint, isProblem } from './foreign-endpoint.ts';
import { normaliseRequest } from './normalise-request.ts';
import { BATCH_PATHS, EVENT_PATHS, JITSU_PATHS } from './paths.ts';
import { isForm, jitsuKeyOf, readRequest, writeKeyOf } from './read-request.ts';

export function compatibleEventEndpoints(
  deps: BatchEndpointDeps,
): (readonly [path: string, endpoint: Endpoint])[] {
  const batch = foreignEndpoint(deps, dialectOf(undefined));
  return [
    ...Object.entries(EVENT_PATHS).map(
      ([path, type]) => [path, foreignEndpoint(deps, dialectOf(type))] as const,
    ),
    ...BATCH_PATHS.map(path => [path, batch] as const),
    ...Object.entries(JITSU_PATHS).map(
      ([path, type]) => [path, foreignEndpoint(deps, jitsuDialectOf(type))] as const,
    ),
  ];
}

/** For /v1/batch, which these clients share with the contract. */
export function compatibleBatch(deps: BatchEndpointDeps): CompatibleEndpoint {
  const isCompatible = (writeKey: string) =>
    deps.directory()?.accountOf(writeKey)?.isCompatible === true;
  return {
    ...foreignEndpoint(deps, dialectOf(undefined)),
    async takes(incoming, bytes) {
      if (!isForm(incoming.contentType)) return isCompatible(writeKeyOf(incoming, undefined));
      const read = await readRequest(incoming, bytes);
      return isCompatible(writeKeyOf(incoming, isProblem(read) ? undefined : read.value));
    },
  };
}

/** `type`: the type of the event if the body is a single event; undefined if it is a batch. */
function dialectOf(type: string | undefined): Dialect {
  return {
    read: readRequest,
    keyOf: writeKeyOf,
    write: request => normaliseRequest({ ...request, type }),
  };
}

function jitsuDialectOf(type: string): Dialect {
  return {
    read: readRequest,
    keyOf: jitsuKeyOf,
    write: request => normaliseRequest({ ...request, type, pageNameIn: 'properties' }),
  };
}
