// The endpoints of Segment's and RudderStack's clients. A request is rewritten as bodies of
// /v1/batch, and takes the same way from there. Only for keys whose owner has allowed it.

import { type Problem, problem } from '../../schema/values/problem.ts';
import { type AcceptedBatch, checkEnvelope } from '../accept/accept-batch.ts';
import { type ParsedBatch, parseBatch } from '../accept/parse-batch.ts';
import type { ParsedObject } from '../accept/parse-object.ts';
import { answerOf, type BatchEndpointDeps, storeBatch } from '../http/batch-endpoint.ts';
import { cellRefusal } from '../http/cell-refusal.ts';
import type { Incoming } from '../http/incoming.ts';
import { type CompatibleEndpoint, type SdkAnswer, sdkEndpoint } from '../http/sdk-endpoint.ts';
import type { Endpoint } from '../http/server.ts';
import type { SdkRequest } from '../sdk-request.ts';
import { normaliseRequest } from './normalise-request.ts';
import { BATCH_PATHS, CLIENT_HEADERS, EVENT_PATHS } from './paths.ts';
import { isForm, readRequest, writeKeyOf } from './read-request.ts';
import { sayMessage } from './say-message.ts';

type CompatibleBody = { readonly writeKey: string; readonly batches: readonly ParsedBatch[] };

export function compatibleEventEndpoints(
  deps: BatchEndpointDeps,
): (readonly [path: string, endpoint: Endpoint])[] {
  const batch = eventEndpoint(deps, undefined);
  return [
    ...Object.entries(EVENT_PATHS).map(
      ([path, type]) => [path, eventEndpoint(deps, type)] as const,
    ),
    ...BATCH_PATHS.map(path => [path, batch] as const),
  ];
}

/** For /v1/batch, which these clients share with the contract. */
export function compatibleBatch(deps: BatchEndpointDeps): CompatibleEndpoint {
  const isCompatible = (writeKey: string) =>
    deps.directory()?.accountOf(writeKey)?.isCompatible === true;
  return {
    ...eventEndpoint(deps, undefined),
    async takes(incoming, bytes) {
      if (!isForm(incoming.contentType)) return isCompatible(writeKeyOf(incoming, undefined));
      const read = await readRequest(incoming, bytes);
      return isCompatible(writeKeyOf(incoming, isProblem(read) ? undefined : read.value));
    },
  };
}

/** `type`: of the one event that the body is; undefined if the body is a batch. */
function eventEndpoint(deps: BatchEndpointDeps, type: string | undefined): Endpoint {
  const endpoint = sdkEndpoint<CompatibleBody>(deps, {
    method: 'POST',
    read: (incoming, bytes) => read(deps, type, incoming, bytes),
    writeKeyOf: ({ writeKey }) => writeKey,
    refusal: (account, { batches }) =>
      batches.map(checkEnvelope).find(found => found !== undefined) ??
      cellRefusal(deps.pipeline, account),
    eventsOf: ({ batches }) => batches.reduce((sum, { events }) => sum + events.count, 0),
    work: (request, { batches }, doneWithBody) => store(deps, request, batches, doneWithBody),
  });
  return {
    methods: endpoint.methods,
    allowedHeaders: CLIENT_HEADERS,
    // What is stored was copied from it.
    returnsBody: true,
    handle: async (...request) => sayMessage(await endpoint.handle(...request)),
  };
}

/** Nothing is rewritten before the key is known to allow it. */
async function read(
  deps: BatchEndpointDeps,
  type: string | undefined,
  incoming: Incoming,
  bytes: Buffer,
): Promise<CompatibleBody | Problem> {
  const body = await readRequest(incoming, bytes);
  if (isProblem(body)) return body;
  const writeKey = writeKeyOf(incoming, body.value);
  const account = deps.directory()?.accountOf(writeKey);
  if (account === undefined) return problem('INVALID_WRITE_KEY');
  if (!account.isCompatible) return problem('CONTRACT_ONLY');
  const bodies = normaliseRequest({
    text: body.bytes.toString('utf8'),
    value: body.value,
    type,
    writeKey,
    receivedAtMs: deps.clock.nowMs(),
  });
  if (!Array.isArray(bodies)) return bodies;
  const batches: ParsedBatch[] = [];
  for (const bytes of bodies) {
    const batch = parseBatch(bytes);
    if ('code' in batch) return batch;
    batches.push(batch);
  }
  return { writeKey, batches };
}

/** One after the other, so that a later batch recognizes the duplicates of an earlier one. */
async function store(
  deps: BatchEndpointDeps,
  request: SdkRequest,
  batches: readonly ParsedBatch[],
  doneWithBody: () => void,
): Promise<SdkAnswer> {
  const sum = { accepted: 0, duplicates: 0, rejected: [] as AcceptedBatch['rejected'][number][] };
  let first = 0;
  for (const batch of batches) {
    const { eventCount } = batch;
    const outcome = await storeBatch(deps, request, batch, { doneWithBody, answer: same });
    if (outcome === undefined) return answerOf(undefined);
    sum.accepted += outcome.accepted;
    sum.duplicates += outcome.duplicates;
    for (const found of outcome.rejected)
      sum.rejected.push({ ...found, index: first + found.index });
    first += eventCount;
  }
  return answerOf(sum);
}

function same<Value>(value: Value): Value {
  return value;
}

function isProblem(read: ParsedObject | Problem): read is Problem {
  return 'code' in read;
}
