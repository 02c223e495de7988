import type { TemplateChannel } from '../content.ts';
import { applyWord, type Effect } from './apply-word.ts';
import {
  type ApprovalScope,
  type KnownSubmission,
  submissionsByNames,
} from './known-submission.ts';

type EventRow = {
  readonly channel: TemplateChannel;
  readonly upstream_name: string;
  readonly upstream_id: string | null;
  readonly word: string;
  readonly reason: string | null;
  readonly health_until: Date | string | null;
  readonly occurred_at: Date | string;
};

/** Applies an inbox event and records its effect in one transaction. Returns undefined if another
 * process holds the event or it is already processed. */
export async function applyApprovalEvent(
  scope: ApprovalScope,
  eventId: string,
): Promise<Effect | undefined> {
  const { em } = scope;
  const [event] = await em.execute<EventRow[]>(
    `SELECT channel, upstream_name, upstream_id, word, reason, health_until, occurred_at
     FROM approval_events WHERE id = ? AND state = 'RECEIVED' FOR UPDATE SKIP LOCKED`,
    [eventId],
  );
  if (event === undefined) return undefined;
  const [submission] = await submissionsByNames(em, event.channel, [event.upstream_name]);
  const effect = await effectOf(scope, submission, event);
  await noteEffect(scope, eventId, submission, effect);
  return effect;
}

async function effectOf(
  scope: ApprovalScope,
  submission: KnownSubmission | undefined,
  event: EventRow,
): Promise<Effect> {
  if (submission === undefined) return { state: 'IGNORED', why: 'UNKNOWN_TEMPLATE' };
  // Names are unique to us, so a foreign ID under our name would be another account's template.
  const isOther =
    submission.upstreamId !== null &&
    event.upstream_id !== null &&
    submission.upstreamId !== event.upstream_id;
  if (isOther) return { state: 'IGNORED', why: 'OTHER_UPSTREAM_ID' };
  return applyWord(scope, submission, {
    kind: 'EVENT',
    word: event.word,
    reason: event.reason,
    upstreamId: event.upstream_id,
    at: new Date(event.occurred_at),
    healthUntil: event.health_until === null ? null : new Date(event.health_until),
  });
}

async function noteEffect(
  { em, deps }: ApprovalScope,
  eventId: string,
  submission: KnownSubmission | undefined,
  { state, why }: Effect,
): Promise<void> {
  await em.execute(
    `UPDATE approval_events SET state = ?, why = ?, next_attempt_at = NULL, processed_at = ?,
       workspace_id = ?, submission_id = ?, version_id = ? WHERE id = ?`,
    [
      state,
      why,
      new Date(deps.clock.nowMs()).toISOString(),
      submission?.workspaceId ?? null,
      submission?.id ?? null,
      submission?.versionId ?? null,
      eventId,
    ],
  );
}
