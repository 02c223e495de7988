import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

export const SegmentMemberSchema = defineEntity({
  name: 'SegmentMember',
  tableName: 'segment_members',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    userId: p.text(),
    segmentId: p.uuid(),
    createdAt: createdAt(),
  },
});

/** A person who was in a segment at its last evaluation. */
export class SegmentMember extends SegmentMemberSchema.class {}
SegmentMemberSchema.setClass(SegmentMember);
