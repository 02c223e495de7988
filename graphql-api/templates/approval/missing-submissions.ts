// Records which submissions an approver's list contains or lacks. A single list may lack an
// existing template, for example when another was deleted between two pages. A template that has been
// missing from the lists for long no longer exists.

import type { EntityManager } from '@mikro-orm/postgresql';
import { kysely, rowsOf, sql } from '../../platform/database/kysely.ts';
import type { TemplateChannel } from '../content.ts';
import { changeHealth, type ReportOutcome } from './apply-report.ts';
import { type ApprovalScope, type Submission, submissionById } from './submission.reads.ts';

/** Covers several lists, each of which would have to be wrong. */
const MISSING_HOURS = 1;
/** The limit per list; the next list continues. */
const GONE_MAX = 500;

export async function markListed(
  em: EntityManager,
  submissions: readonly Submission[],
  at: Date,
): Promise<void> {
  const ids = submissions.map(({ id }) => id);
  // Ordered, so that concurrent lists cannot deadlock.
  await rowsOf(
    em,
    sql`UPDATE approval_sendings a SET seen_at = greatest(a.seen_at, ${at}), missing_since = NULL
      FROM (SELECT submission_id FROM approval_sendings WHERE submission_id = ANY(${ids}::uuid[])
        ORDER BY submission_id FOR UPDATE) seen
      WHERE a.submission_id = seen.submission_id`,
  );
}

export type Listing = {
  readonly channel: TemplateChannel;
  /** Null means all workspaces with submissions to this approver. */
  readonly workspaceId: string | null;
};

/**
 * Marks the submissions that a complete listing, which started at the given time, does not contain;
 * nothing is submitted again. Returns those that have been missing for long and are not yet
 * disabled.
 */
export async function markMissing(
  em: EntityManager,
  { channel, workspaceId }: Listing,
  startedAt: Date,
): Promise<readonly string[]> {
  const isCovered = sql`(${workspaceId}::uuid IS NULL OR a.workspace_id = ${workspaceId})`;
  // A locked row is being updated by a report right now, so it is skipped.
  await rowsOf(
    em,
    sql`UPDATE approval_sendings s SET upstream_status = 'MISSING',
        missing_since = coalesce(s.missing_since, ${startedAt})
      FROM (SELECT submission_id FROM approval_sendings a
        WHERE channel = ${channel} AND state = 'SENT' AND sent_at < ${startedAt}
          AND (seen_at IS NULL OR seen_at < ${startedAt}) AND missing_since IS NULL AND ${isCovered}
        FOR UPDATE SKIP LOCKED) missing
      WHERE s.submission_id = missing.submission_id`,
  );
  const gone = await rowsOf(
    em,
    sql<{ id: string }>`SELECT s.id FROM approval_sendings a
      JOIN template_submissions s ON s.id = a.submission_id
      JOIN template_versions v ON v.submission_id = s.id
      WHERE a.missing_since <= ${startedAt}::timestamptz - ${MISSING_HOURS} * interval '1 hour'
        AND a.channel = ${channel} AND a.state = 'SENT' AND ${isCovered}
        AND s.state = 'APPROVED' AND v.state <> 'Archived' AND v.upstream_health <> 'DISABLED'
      ORDER BY a.missing_since, s.id LIMIT ${GONE_MAX}`,
  );
  return gone.map(({ id }) => id);
}

/** Returns undefined if the submission was reported since. */
export async function disableMissing(
  scope: ApprovalScope,
  submissionId: string,
  at: Date,
): Promise<{ readonly submission: Submission; readonly effect: ReportOutcome } | undefined> {
  const missing = await kysely(scope.em)
    .selectFrom('approval_sendings')
    .select('submissionId')
    .where('submissionId', '=', submissionId)
    .where('missingSince', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  const submission = await submissionById(scope.em, submissionId);
  if (missing === undefined || submission?.state !== 'APPROVED') return undefined;
  const unknown = { reason: null, upstreamId: null, healthUntil: null };
  const report = { kind: 'STATUS', status: 'DELETED', at, ...unknown } as const;
  return { submission, effect: await changeHealth(scope, submission, report, 'DISABLED') };
}
