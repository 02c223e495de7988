// POST /v1/batch: reads the body, authenticates the sender, checks cell and caps, then accepts the
// batch. The key is in the body (spec, SDK write key 2), so the body is read before the sender is
// known.

import { type Problem, problem } from '../../schema/values/problem.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import { type AcceptedBatch, acceptBatch, checkEnvelope } from '../accept/accept-batch.ts';
import { giveBackBatch, type ParsedBatch, parseBatch } from '../accept/parse-batch.ts';
import type { RecentIds } from '../accept/recent-ids.ts';
import { authenticate } from '../authenticate/authenticate.ts';
import type { CapCheck } from '../authenticate/check-caps.ts';
import type { Account, Directory } from '../authenticate/directory.ts';
import type { KeyUses } from '../authenticate/key-uses.ts';
import type { Clock } from '../clock.ts';
import { RETRY_AFTER_SECONDS } from '../limits.ts';
import type { Metrics } from '../observe/metrics.ts';
import { SpoolFailure } from '../spool/spool-failure.ts';
import type { Taps } from '../tail/tap.ts';
import { type CellOf, cellRefusal } from './cell-refusal.ts';
import { corsHeaders } from './cors.ts';
import { decompress, isPlain } from './decompress.ts';
import type { Incoming } from './incoming.ts';
import { checkMediaType } from './media-type.ts';
import { jsonReply, problemReply, type Reply } from './reply.ts';
import type { Endpoint } from './server.ts';

export type BatchEndpointDeps = {
  readonly clock: Clock;
  readonly caps: CapCheck;
  readonly keyUses: KeyUses;
  readonly recent: RecentIds;
  readonly metrics: Metrics;
  /** Undefined until the directory has been loaded. */
  readonly directory: () => Directory | undefined;
  readonly isDraining: () => boolean;
  readonly pipeline: CellOf;
  readonly taps: Taps;
  /** Called after a failed write to the spool. The client receives a 503. */
  readonly onUnavailable: (error: unknown) => void;
};

const UNAVAILABLE = problem('UNAVAILABLE', undefined, RETRY_AFTER_SECONDS);
const NO_PROPERTY = new Uint8Array(16);
const PATH = '/v1/batch';

export function batchEndpoint(deps: BatchEndpointDeps): Endpoint {
  return {
    methods: ['POST'],
    returnsBody: true,
    handle: (incoming, body, _, doneWithBody) => handle(deps, incoming, body, doneWithBody),
  };
}

async function handle(
  deps: BatchEndpointDeps,
  incoming: Incoming,
  body: Buffer,
  doneWithBody: () => void,
): Promise<Reply> {
  const receivedAtMs = deps.clock.nowMs();
  const directory = deps.directory();
  const { origin } = incoming;
  const mayAnyKey = origin !== '' && (directory?.isOriginAllowedBySomeKey(origin) ?? true);
  const corsOfAnyKey = mayAnyKey ? corsHeaders(origin) : [];
  if (deps.isDraining() || directory === undefined)
    return problemReply(UNAVAILABLE, {}, corsOfAnyKey);
  const batch = await readBatch(incoming, body);
  if ('code' in batch) return problemReply(batch, {}, corsOfAnyKey);
  const sender = authenticate(directory, {
    writeKey: batch.writeKey,
    origin: origin === '' ? undefined : origin,
    claims: { organizationId: incoming.organizationId, propertyId: incoming.propertyId },
  });
  if (sender.problem !== undefined) {
    const cors = sender.isCorsAllowed && origin !== '' ? corsHeaders(origin) : [];
    return problemReply(sender.problem, {}, cors);
  }
  deps.keyUses.note(sender.account.keyId);
  const cors = origin === '' ? [] : corsHeaders(origin);
  const { propertyId } = incoming;
  const request = { account: sender.account, propertyId, receivedAtMs, doneWithBody };
  const outcome = await take(deps, batch, request);
  return 'code' in outcome ? problemReply(outcome, {}, cors) : acceptedReply(outcome, cors);
}

async function readBatch(incoming: Incoming, body: Buffer): Promise<ParsedBatch | Problem> {
  const mediaType = checkMediaType(incoming.contentType);
  if (mediaType !== undefined) return mediaType;
  const plain = isPlain(incoming.contentEncoding)
    ? body
    : await decompress(body, incoming.contentEncoding);
  if ('code' in plain) return plain;
  const batch = parseBatch(plain);
  if ('code' in batch || batch.writeKey) return batch;
  return problem('MISSING_WRITE_KEY');
}

type Request = {
  readonly account: Account;
  readonly propertyId: string;
  readonly receivedAtMs: number;
  readonly doneWithBody: () => void;
};

async function take(
  deps: BatchEndpointDeps,
  batch: ParsedBatch,
  { account, propertyId, receivedAtMs, doneWithBody }: Request,
): Promise<AcceptedBatch | Problem> {
  const refusal = checkEnvelope(batch) ?? cellRefusal(deps.pipeline, account);
  if (refusal !== undefined) return refusal;
  // Caps are checked after the cell, so that a batch rejected by the cell does not count against
  // them.
  const overCap = deps.caps.admit(account, batch.events.count, receivedAtMs);
  const capped = overCap instanceof Promise ? await overCap : overCap;
  if (capped !== undefined) return capped;
  const log = deps.pipeline(account.cell.slug)?.writableLog();
  if (log === undefined) return UNAVAILABLE;
  const propertyIdBytes = propertyId === '' ? NO_PROPERTY : uuidToRowBinary(propertyId);
  const { keyId } = account;
  const sampler = deps.taps.of(account.workspaceId);
  const settle = sampler?.sampleBatch(batch.events, { endpoint: PATH, keyId, receivedAtMs });
  try {
    const sender = { account, propertyIdBytes, receivedAtMs };
    const accepting = acceptBatch(log, deps.recent, batch, sender);
    // The body is released before the wait for the disk; otherwise every open connection would hold
    // one.
    giveBackBatch(batch);
    doneWithBody();
    const accepted = await accepting;
    count(deps.metrics, accepted);
    settle?.(accepted);
    return accepted;
  } catch (error) {
    if (!(error instanceof SpoolFailure)) throw error;
    deps.onUnavailable(error);
    return UNAVAILABLE;
  }
}

function count(metrics: Metrics, outcome: AcceptedBatch): void {
  metrics.eventsAccepted.inc(outcome.accepted);
  if (outcome.duplicates > 0) metrics.eventsDuplicate.inc(outcome.duplicates);
  for (const { code } of outcome.rejected) metrics.eventsRejected.inc({ code });
}

function acceptedReply(outcome: AcceptedBatch, cors: Reply['headers']): Reply {
  const { accepted, rejected } = outcome;
  if (rejected.length === 0) return jsonReply(200, { status: 'SUCCESS', accepted }, cors);
  const message = `${rejected.length} of ${accepted + rejected.length} events were rejected. The other events are stored; do not resend them.`;
  return problemReply(problem('EVENTS_REJECTED', message), { accepted, rejected }, cors);
}
