// Lists sends of journeys, newest first, with the version that each used and the reason.

import type { Context } from '../platform/context.ts';
import type { Page, PageRequest } from '../platform/database/page.ts';
import { ask } from '../platform/warehouse/ask.ts';
import { encodeCursor, keysetPage } from '../platform/warehouse/keyset.ts';
import {
  LIST_DAYS_MAX,
  type ReportRange,
  requireRange,
  within,
} from '../platform/warehouse/report-range.ts';
import type { ResolutionReason } from '../templates/resolve-version.ts';

export type StoredSend = {
  /** Derived from the enrolment and the node. */
  readonly sendId: string;
  readonly sentAtMs: number;
  readonly reason: ResolutionReason;
  readonly versionId: string;
  /** All zeros if no version was pinned. */
  readonly pinnedVersionId: string;
  readonly journeyId: string;
  readonly enrolmentId: string;
  readonly nodeId: string;
  readonly contactId: string;
  readonly userId: string;
};

/** Filters by UUIDs. */
export type SendFilter = {
  readonly templateId?: string | undefined;
  readonly versionId?: string | undefined;
  readonly journeyId?: string | undefined;
  readonly reasons?: readonly ResolutionReason[] | null | undefined;
};

export type LatestSendsInput = PageRequest & {
  readonly range: ReportRange;
  readonly filter: SendFilter;
};

export async function latestSends(
  context: Context,
  input: LatestSendsInput,
): Promise<Page<StoredSend>> {
  const range = requireRange(input.range, LIST_DAYS_MAX);
  const { templateId, versionId, journeyId, reasons } = input.filter;
  const conditions = [
    templateId && 'AND template_id = {templateId:UUID}',
    versionId && 'AND version_id = {versionId:UUID}',
    journeyId && 'AND journey_id = {journeyId:UUID}',
    reasons && 'AND reason IN {reasons:Array(String)}',
  ].filter(Boolean);
  return keysetPage<StoredSend>(range, input, 1, (part, after, limit) =>
    ask<StoredSend>(
      context,
      `SELECT ${COLUMNS} FROM send_audits
       WHERE workspace_id = {workspaceId:UUID} AND ${within('sent_at')} ${conditions.join(' ')}
         ${after ? AFTER : ''}
       ORDER BY sent_at DESC, toString(send_id) DESC LIMIT {limit:UInt32}`,
      {
        ...part,
        templateId,
        versionId,
        journeyId,
        reasons,
        ...(after && { afterMs: after.atMs, afterId: after.keys[0] }),
        limit,
      },
    ),
  );
}

export function sendCursor({ sentAtMs, sendId }: StoredSend): string {
  return encodeCursor({ atMs: sentAtMs, keys: [sendId] });
}

const COLUMNS = `send_id AS "sendId", toUnixTimestamp64Milli(sent_at) AS "sentAtMs", reason,
  version_id AS "versionId", pinned_version_id AS "pinnedVersionId", journey_id AS "journeyId",
  enrolment_id AS "enrolmentId", node_id AS "nodeId", contact_id AS "contactId", user_id AS "userId"`;

const AFTER = `AND (sent_at, toString(send_id))
  < (fromUnixTimestamp64Milli({afterMs:Int64}, 'UTC'), {afterId:String})`;
