// POST /v1/batch: up to 100 events. The key is in the body (spec, SDK write key 2).

import { type Problem, problem } from '../../schema/values/problem.ts';
import { type AcceptedBatch, acceptBatch, checkEnvelope } from '../accept/accept-batch.ts';
import { giveBackBatch, type ParsedBatch, parseBatch } from '../accept/parse-batch.ts';
import type { RecentIds } from '../accept/recent-ids.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { SdkRequest } from '../sdk-request.ts';
import type { Taps } from '../tail/tap.ts';
import { type CellOf, cellRefusal, UNAVAILABLE, writableLog } from './cell-refusal.ts';
import {
  type CompatibleEndpoint,
  readJson,
  type SdkAnswer,
  type SdkEndpointDeps,
  sdkEndpoint,
} from './sdk-endpoint.ts';
import type { Endpoint } from './server.ts';

export type BatchEndpointDeps = SdkEndpointDeps & {
  readonly recent: RecentIds;
  readonly metrics: Metrics;
  readonly pipeline: CellOf;
  readonly taps: Taps;
};

const PATH = '/v1/batch';

export function batchEndpoint(deps: BatchEndpointDeps, compatible: CompatibleEndpoint): Endpoint {
  const endpoint = sdkEndpoint<ParsedBatch>(deps, {
    method: 'POST',
    returnsBody: true,
    read: (incoming, bytes) => readJson(incoming, bytes, parseKeyedBatch),
    // parseKeyedBatch has checked that there is one.
    writeKeyOf: batch => batch.writeKey!,
    compatible,
    refusal: (account, batch) => checkEnvelope(batch) ?? cellRefusal(deps.pipeline, account),
    eventsOf: batch => batch.events.count,
    work: (request, batch, doneWithBody) =>
      storeBatch(deps, request, batch, { doneWithBody, answer: answerOf }),
  });
  return { ...endpoint, allowedHeaders: compatible.allowedHeaders ?? [] };
}

function parseKeyedBatch(bytes: Buffer): ParsedBatch | Problem {
  const batch = parseBatch(bytes);
  return 'code' in batch || batch.writeKey ? batch : problem('MISSING_WRITE_KEY');
}

/** `answer` is called with undefined if the cell has stopped accepting rows. */
export async function storeBatch<Answer>(
  deps: BatchEndpointDeps,
  request: SdkRequest,
  batch: ParsedBatch,
  {
    doneWithBody,
    answer,
  }: { doneWithBody: () => void; answer: (outcome: AcceptedBatch | undefined) => Answer },
): Promise<Answer> {
  const { account, receivedAtMs } = request;
  const log = writableLog(deps.pipeline, account);
  if (log === undefined) return answer(undefined);
  const sampler = deps.taps.of(account.workspaceId);
  const { keyId } = account;
  const settle = sampler?.sampleBatch(batch.events, { endpoint: PATH, keyId, receivedAtMs });
  const accepting = acceptBatch(log, deps.recent, batch, request);
  // The body is released before the wait for the disk; otherwise every open connection would hold
  // one.
  giveBackBatch(batch);
  doneWithBody();
  const accepted = await accepting;
  count(deps.metrics, accepted);
  settle?.(accepted);
  return answer(accepted);
}

function count(metrics: Metrics, outcome: AcceptedBatch): void {
  metrics.eventsAccepted.inc(outcome.accepted);
  if (outcome.duplicates > 0) metrics.eventsDuplicate.inc(outcome.duplicates);
  for (const { code } of outcome.rejected) metrics.eventsRejected.inc({ code });
}

export function answerOf(outcome: AcceptedBatch | undefined): SdkAnswer {
  if (outcome === undefined) return UNAVAILABLE;
  const { accepted, rejected } = outcome;
  if (rejected.length === 0) return { body: { status: 'SUCCESS', accepted } };
  return {
    ...problem('EVENTS_REJECTED', inWords(accepted, rejected.length)),
    beside: { accepted, rejected },
  };
}

function inWords(accepted: number, rejected: number): string {
  if (accepted > 0)
    return `${rejected} of ${accepted + rejected} events were rejected. The other events are stored; do not resend them.`;
  return rejected === 1 ? 'The event was rejected.' : `All ${rejected} events were rejected.`;
}
