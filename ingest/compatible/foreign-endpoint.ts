// Handles a request of another vendor's client: reads it, rewrites it as bodies of /v1/batch, and
// processes these like any other batch. Only for keys whose owner has allowed it.

import { type Problem, problem } from '../../schema/values/problem.ts';
import { type AcceptedBatch, checkEnvelope } from '../accept/accept-batch.ts';
import { type ParsedBatch, parseBatch } from '../accept/parse-batch.ts';
import type { ParsedObject } from '../accept/parse-object.ts';
import { answerOf, type BatchEndpointDeps, storeBatch } from '../http/batch-endpoint.ts';
import { cellRefusal } from '../http/cell-refusal.ts';
import type { Incoming } from '../http/incoming.ts';
import { type SdkAnswer, sdkEndpoint } from '../http/sdk-endpoint.ts';
import type { Endpoint } from '../http/server.ts';
import type { SdkRequest } from '../sdk-request.ts';
import { CLIENT_HEADERS } from './paths.ts';
import { sayMessage } from './say-message.ts';

export type ForeignRequest = {
  /** A JSON object. */
  readonly text: string;
  /** Its value, as parsed by JSON.parse. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly writeKey: string;
  readonly receivedAtMs: number;
};

/** The parts of a request that differ by vendor. */
export type Dialect = {
  readonly read: (incoming: Incoming, bytes: Buffer) => Promise<ParsedObject | Problem>;
  /** Empty if there is none. */
  readonly keyOf: (incoming: Incoming, value: ForeignRequest['value']) => string;
  /** Bodies of the contract, each within its limits. */
  readonly write: (request: ForeignRequest) => Buffer[] | Problem;
};

type CompatibleBody = { readonly writeKey: string; readonly batches: readonly ParsedBatch[] };

export function foreignEndpoint(deps: BatchEndpointDeps, dialect: Dialect): Endpoint {
  const endpoint = sdkEndpoint<CompatibleBody>(deps, {
    method: 'POST',
    read: (incoming, bytes) => read(deps, dialect, incoming, bytes),
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
    // The stored rows were copied from it.
    returnsBody: true,
    handle: async (...request) => sayMessage(await endpoint.handle(...request)),
  };
}

/** A request is rewritten only after its key is known to allow it. */
async function read(
  deps: BatchEndpointDeps,
  dialect: Dialect,
  incoming: Incoming,
  bytes: Buffer,
): Promise<CompatibleBody | Problem> {
  const body = await dialect.read(incoming, bytes);
  if (isProblem(body)) return body;
  const { value } = body;
  const writeKey = dialect.keyOf(incoming, value);
  const account = deps.directory()?.accountOf(writeKey);
  if (account === undefined) return problem('INVALID_WRITE_KEY');
  if (!account.isCompatible) return problem('CONTRACT_ONLY');
  const text = body.bytes.toString('utf8');
  const bodies = dialect.write({ text, value, writeKey, receivedAtMs: deps.clock.nowMs() });
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

export function isProblem(read: ParsedObject | Problem): read is Problem {
  return 'code' in read;
}
