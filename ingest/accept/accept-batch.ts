// Accepts a POST /v1/batch whose sender is authenticated: checks the envelope, appends the rows to
// the spool, then responds. 200 means that every event is on disk. If some events are rejected, the
// others are stored, the rejected events are stored whole in rejected_events, and the response is
// 400.

import { parseInstant } from '../../schema/values/instant.ts';
import { type Problem, type ProblemCode, problem } from '../../schema/values/problem.ts';
import type { Account } from '../authenticate/directory.ts';
import { BATCH_EVENTS_MAX } from '../limits.ts';
import type { BatchEvents } from './batch-events.ts';
import { encodeBatch } from './encode-batch.ts';
import type { EventLog } from './event-log.ts';
import { type Duplicates, findDuplicates } from './find-duplicates.ts';
import type { ParsedBatch } from './parse-batch.ts';
import { FINGERPRINT_WORDS, isBlank, type RecentIds } from './recent-ids.ts';
import { MESSAGE_ID } from './scan/fields.ts';

type RejectedEvent = {
  readonly index: number;
  readonly messageId: string | null;
  readonly code: ProblemCode;
  readonly message: string;
};

export type AcceptedBatch = {
  /** Includes duplicates, which are on disk already. */
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly RejectedEvent[];
};

type BatchSender = {
  readonly account: Pick<Account, 'workspaceIdBytes' | 'keyIdBytes'>;
  readonly propertyIdBytes: Uint8Array;
  readonly receivedAtMs: number;
};

/**
 * Whether rejected events are stored in rejected_events. A sender that replays rejected events has
 * them there already and only receives them in the response.
 */
export type Refused = 'are kept' | 'stay with the sender';

/** Returns the first problem of the envelope. Nothing of such a batch is stored. */
export function checkEnvelope(batch: ParsedBatch): Problem | undefined {
  if (batch.sentAt === undefined || parseInstant(batch.sentAt) === undefined)
    return problem('INVALID_SENT_AT');
  if (batch.eventCount < 0) return problem('INVALID_BATCH');
  if (batch.eventCount === 0) return problem('EMPTY_BATCH');
  if (batch.eventCount > BATCH_EVENTS_MAX)
    return problem(
      'TOO_MANY_EVENTS',
      `batch has ${batch.eventCount} events; send at most ${BATCH_EVENTS_MAX}.`,
    );
  return batch.contextProblem;
}

/**
 * Resolves once every row is on disk. The body is not read after this function returns.
 * Precondition: `checkEnvelope` returned undefined and the log accepts frames.
 */
export async function acceptBatch(
  log: EventLog,
  recent: RecentIds,
  batch: ParsedBatch,
  sender: BatchSender,
  refused: Refused = 'are kept',
): Promise<AcceptedBatch> {
  const { events } = batch;
  const duplicates = findDuplicates(events, sender.account, recent);
  const sentAt = parseInstant(batch.sentAt ?? '')!;
  const rejected = rejectedEvents(events);
  const keepsRefused = refused === 'are kept';
  const outcome = {
    accepted: events.count - rejected.length,
    duplicates: duplicates.count,
    rejected,
  };
  const stored = events.count - duplicates.count - (keepsRefused ? 0 : rejected.length);
  if (stored > 0) {
    const facts = {
      endpoint: '/v1/batch',
      workspaceIdBytes: sender.account.workspaceIdBytes,
      propertyIdBytes: sender.propertyIdBytes,
      keyIdBytes: sender.account.keyIdBytes,
      receivedAtMs: sender.receivedAtMs,
      sentAtMs: sentAt.ms,
      sentAtText: sentAt.isCanonical ? '' : (batch.sentAt ?? ''),
    };
    encodeBatch(log, batch, facts, { isDuplicate: duplicates.isDuplicate, keepsRefused });
    await log.commit();
    remember(duplicates, recent);
  }
  return outcome;
}

/** Returns the same outcome without storing anything. Does not check for duplicates. */
export function tryBatch(batch: ParsedBatch): AcceptedBatch {
  const rejected = rejectedEvents(batch.events);
  return { accepted: batch.events.count - rejected.length, duplicates: 0, rejected };
}

function rejectedEvents(events: BatchEvents): RejectedEvent[] {
  const rejected: RejectedEvent[] = [];
  for (let index = 0; index < events.count; index++) {
    const found = events.problem(index);
    if (found === undefined) continue;
    const messageId = events.text(index, MESSAGE_ID)?.toWellFormed() ?? null;
    rejected.push({ index, messageId, code: found.code, message: found.message });
  }
  return rejected;
}

function remember({ prints, isDuplicate }: Duplicates, recent: RecentIds): void {
  for (let event = 0; event < isDuplicate.length; event++) {
    const at = event * FINGERPRINT_WORDS;
    if (isDuplicate[event] === 0 && !isBlank(prints, at)) recent.add(prints, at);
  }
}
