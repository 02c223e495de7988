import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export const SegmentSchema = defineEntity({
  name: 'Segment',
  tableName: 'segments',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    name: p.text(),
    // The shape is `SegmentRule` in segment-rule.ts.
    rule: p.json<unknown>(),
    memberCount: p.integer().default(0),
    evaluatedAt: instant().nullable(),
    attemptedAt: instant().nullable(),
    fault: p.text().nullable(),
    createdBy: p.text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    archivedAt: instant().nullable(),
    version: p.integer().default(1),
  },
});

/** A group of people, defined by their behavior. */
export class Segment extends SegmentSchema.class {}
SegmentSchema.setClass(Segment);
