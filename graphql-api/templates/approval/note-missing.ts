// Records which submissions an approver's list contains or lacks. A single list may lack an
// existing template, for example when another was deleted between two pages. A template that lists
// lack for long no longer exists.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { TemplateChannel } from '../content.ts';
import { changeHealth, type Effect } from './apply-word.ts';
import { type ApprovalScope, type KnownSubmission, submissionById } from './known-submission.ts';

/** Covers several lists, each of which would have to be wrong. */
const MISSING_HOURS = 1;
/** The limit per list; the next list continues. */
const GONE_MAX = 500;

export async function noteSeen(
  em: EntityManager,
  submissions: readonly KnownSubmission[],
  at: Date,
): Promise<void> {
  // Ordered, so that concurrent lists cannot deadlock.
  await em.execute(
    `UPDATE approval_sendings a SET seen_at = greatest(a.seen_at, ?), missing_since = NULL
     FROM (SELECT submission_id FROM approval_sendings WHERE submission_id IN
         (SELECT jsonb_array_elements_text(?::jsonb)::uuid)
       ORDER BY submission_id FOR UPDATE) seen
     WHERE a.submission_id = seen.submission_id`,
    [at.toISOString(), JSON.stringify(submissions.map(({ id }) => id))],
  );
}

type Listing = {
  readonly channel: TemplateChannel;
  readonly workspaceId: string | null;
  /** When the listing started. The listing must be complete. */
  readonly startedAt: Date;
};

/**
 * Marks missing submissions; nothing is submitted again. Returns those that have been missing for
 * long and are not yet disabled.
 */
export async function noteMissing(
  em: EntityManager,
  { channel, workspaceId, startedAt }: Listing,
): Promise<readonly string[]> {
  const at = startedAt.toISOString();
  // A locked row is being updated by a report right now, so it is skipped.
  await em.execute(
    `UPDATE approval_sendings a SET upstream_status = 'MISSING',
       missing_since = coalesce(a.missing_since, ?)
     FROM (SELECT submission_id FROM approval_sendings
       WHERE channel = ? AND state = 'SENT' AND sent_at < ? AND (seen_at IS NULL OR seen_at < ?)
         AND missing_since IS NULL AND (?::uuid IS NULL OR workspace_id = ?)
       FOR UPDATE SKIP LOCKED) missing
     WHERE a.submission_id = missing.submission_id`,
    [at, channel, at, at, workspaceId, workspaceId],
  );
  const gone = await em.execute<{ id: string }[]>(
    `SELECT s.id FROM approval_sendings a
     JOIN template_submissions s ON s.id = a.submission_id
     JOIN template_versions v ON v.submission_id = s.id
     WHERE a.missing_since <= ?::timestamptz - interval '${MISSING_HOURS} hours'
       AND a.channel = ? AND a.state = 'SENT' AND (?::uuid IS NULL OR a.workspace_id = ?)
       AND s.state = 'APPROVED' AND v.state <> 'Archived' AND v.upstream_health <> 'DISABLED'
     ORDER BY a.missing_since, s.id LIMIT ${GONE_MAX}`,
    [at, channel, workspaceId, workspaceId],
  );
  return gone.map(({ id }) => id);
}

export type Gone = { readonly submission: KnownSubmission; readonly effect: Effect };

/** Returns undefined if the submission was reported since. */
export async function disableMissing(
  scope: ApprovalScope,
  submissionId: string,
  at: Date,
): Promise<Gone | undefined> {
  const [missing] = await scope.em.execute<unknown[]>(
    `SELECT 1 FROM approval_sendings WHERE submission_id = ? AND missing_since IS NOT NULL
     FOR UPDATE`,
    [submissionId],
  );
  const submission = await submissionById(scope.em, submissionId);
  if (missing === undefined || submission?.state !== 'APPROVED') return undefined;
  const said = { kind: 'STATUS', word: 'DELETED', reason: null, upstreamId: null } as const;
  const saying = { ...said, at, healthUntil: null };
  return { submission, effect: await changeHealth(scope, submission, saying, 'DISABLED') };
}
