// POST /v1/batch once its sender is known: the envelope's rules, then the rows into the spool, then
// the answer. 200 means every event is on disk; a batch with some refused events is stored without
// them (they are kept apart, whole) and answered with 400, since 200 means all.

import { parseInstant } from '../../schema/values/instant.ts';
import { type Problem, type ProblemCode, problem } from '../../schema/values/problem.ts';
import type { Account } from '../authenticate/directory.ts';
import { BATCH_EVENTS_MAX } from '../limits.ts';
import type { SpoolLog } from '../spool/spool-log.ts';
import type { BatchEvents } from './batch-events.ts';
import { encodeBatch } from './encode-batch.ts';
import { type Duplicates, findDuplicates } from './find-duplicates.ts';
import type { ParsedBatch } from './parse-batch.ts';
import { FINGERPRINT_WORDS, isBlank, type RecentIds } from './recent-ids.ts';
import { MESSAGE_ID } from './scan/fields.ts';

export type RejectedEvent = {
  readonly index: number;
  readonly messageId: string | null;
  readonly code: ProblemCode;
  readonly message: string;
};

export type AcceptedBatch = {
  /** Duplicates count: they are on disk. */
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly RejectedEvent[];
};

export type BatchSender = {
  readonly account: Pick<Account, 'workspaceIdBytes' | 'keyIdBytes'>;
  readonly propertyIdBytes: Uint8Array;
  readonly receivedAtMs: number;
};

/**
 * Whether refused events are kept in rejected_events: for all but a sender that has them there
 * already and tries them again, who is only told of them.
 */
export type Refused = 'are kept' | 'stay with the sender';

/** What is wrong with the envelope as a whole; such a batch leaves nothing behind. */
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
 * Resolves once every row is on disk; the body is no longer looked at when it returns. `checkEnvelope`
 * found nothing wrong; the log takes frames.
 */
export async function acceptBatch(
  log: SpoolLog,
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

/** The same answer without storing anything; ids of this node's memory count as accepted. */
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
