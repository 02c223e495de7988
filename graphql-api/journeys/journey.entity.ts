import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export type JourneyStatus = 'DRAFT' | 'ACTIVE' | 'PAUSED' | 'ARCHIVED';

export const JourneySchema = defineEntity({
  name: 'Journey',
  tableName: 'journeys',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    name: p.text(),
    status: p.text().$type<JourneyStatus>().default('DRAFT'),
    definitionNumber: p.integer().default(1),
    createdBy: p.text(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    version: p.integer().default(1),
    entrySegmentId: p.uuid().nullable(),
    entrySince: instant().nullable(),
  },
});

/** A sequence of nodes that contacts pass through. */
export class Journey extends JourneySchema.class {}
JourneySchema.setClass(Journey);
