import type { Context } from '../platform/context.ts';
import { contractRejections } from '../platform/contract-rejections.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import type { Page, PageRequest } from '../platform/database/page.ts';
import { notFound, Rejected } from '../platform/rejected.ts';
import { segmentPreviewBody } from './segment.contract.ts';
import { Segment } from './segment.entity.ts';
import { evaluateRule, type SegmentPeople } from './segment.evaluate.ts';
import { SegmentMember } from './segment-member.entity.ts';

export const segments = workspaceReads(Segment);

const members = workspaceReads(SegmentMember);

/** The members at the last evaluation, the most recently added first. */
export async function segmentMembers(
  context: Context,
  page: PageRequest,
  segmentId: string,
): Promise<Page<SegmentMember>> {
  const [segment] = await segments.byIds(context, [segmentId]);
  if (segment === undefined) return notFound('segment', 'id');
  return members.page(context, page, { segmentId });
}

/** The people who match a rule now, whether or not a segment has the rule. */
export function segmentPreview(context: Context, given: unknown): Promise<SegmentPeople> {
  const { success, data, error } = segmentPreviewBody.safeParse({ rule: given });
  if (!success) throw new Rejected(contractRejections(error));
  return evaluateRule(context, data.rule, context.deps.clock.nowMs());
}
