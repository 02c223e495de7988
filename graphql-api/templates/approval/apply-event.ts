import { kysely, type RowOf } from '../../platform/database/kysely.ts';
import { applyReport, type ReportOutcome } from './apply-report.ts';
import { type ApprovalScope, type Submission, submissionsByNames } from './submission.reads.ts';

/** Applies an inbox event and records its effect in one transaction. Returns undefined if another
 * process holds the event or it is already processed. */
export async function applyApprovalEvent(
  scope: ApprovalScope,
  eventId: string,
): Promise<ReportOutcome | undefined> {
  const { em, deps } = scope;
  const event = await kysely(em)
    .selectFrom('approval_events')
    .select(['channel', 'upstreamName', 'upstreamId', 'word', 'reason'])
    .select(['healthUntil', 'occurredAt'])
    .where('id', '=', eventId)
    .where('state', '=', 'RECEIVED')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (event === undefined) return undefined;
  const [submission] = await submissionsByNames(em, event.channel, [event.upstreamName]);
  const outcome = await applyToSubmission(scope, submission, event);
  await kysely(em)
    .updateTable('approval_events')
    .set({
      ...outcome,
      nextAttemptAt: null,
      processedAt: new Date(deps.clock.nowMs()),
      workspaceId: submission?.workspaceId ?? null,
      submissionId: submission?.id ?? null,
      versionId: submission?.versionId ?? null,
    })
    .where('id', '=', eventId)
    .execute();
  return outcome;
}

type ReceivedEvent = Pick<
  RowOf<'approval_events'>,
  'upstreamId' | 'word' | 'reason' | 'healthUntil' | 'occurredAt'
>;

async function applyToSubmission(
  scope: ApprovalScope,
  submission: Submission | undefined,
  { upstreamId, word: status, reason, healthUntil, occurredAt: at }: ReceivedEvent,
): Promise<ReportOutcome> {
  if (submission === undefined) return { state: 'IGNORED', why: 'UNKNOWN_TEMPLATE' };
  // Names are unique to us, so a foreign ID under our name would be another account's template.
  const isOther =
    submission.upstreamId !== null && upstreamId !== null && submission.upstreamId !== upstreamId;
  if (isOther) return { state: 'IGNORED', why: 'OTHER_UPSTREAM_ID' };
  const report = { kind: 'EVENT', status, reason, upstreamId, at, healthUntil } as const;
  return applyReport(scope, submission, report);
}
