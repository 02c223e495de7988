// Lists sends of journeys, newest first, with the version that each used and the reason.

import type { Context } from '../platform/context.ts';
import type { Page } from '../platform/database/page.ts';
import { encodeCursor, type ListInput, listPage } from '../platform/warehouse/keyset.ts';
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

type SendsInput = ListInput & {
  /** UUIDs. */
  readonly templateId?: string | undefined;
  readonly versionId?: string | undefined;
  readonly journeyId?: string | undefined;
  readonly reasons?: readonly ResolutionReason[] | null | undefined;
};

export function latestSends(context: Context, input: SendsInput): Promise<Page<StoredSend>> {
  const { templateId, versionId, journeyId, reasons } = input;
  const conditions = [
    templateId && 'AND template_id = {templateId:UUID}',
    versionId && 'AND version_id = {versionId:UUID}',
    journeyId && 'AND journey_id = {journeyId:UUID}',
    reasons && 'AND reason IN {reasons:Array(String)}',
  ].filter(Boolean);
  return listPage<StoredSend>(context, input, {
    columns: `send_id, toUnixTimestamp64Milli(sent_at) AS sent_at_ms, reason, version_id,
      pinned_version_id, journey_id, enrolment_id, node_id, contact_id, user_id`,
    view: 'send_audits',
    order: ['sent_at', 'toString(send_id)'],
    conditions: conditions.join(' '),
    parameters: { templateId, versionId, journeyId, reasons },
  });
}

export function sendCursor({ sentAtMs, sendId }: StoredSend): string {
  return encodeCursor({ atMs: sentAtMs, keys: [sendId] });
}
