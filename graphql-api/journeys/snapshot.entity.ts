import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

export const JourneySnapshotSchema = defineEntity({
  name: 'JourneySnapshot',
  tableName: 'journey_snapshots',
  properties: {
    id: p.uuid().primary(),
    journeyId: p.uuid(),
    workspaceId: p.uuid(),
    definitionId: p.uuid(),
    hash: p.text(),
    createdAt: createdAt(),
  },
});

/** A definition with the version of each send node, shared by all enrolments with the same pins. */
export class JourneySnapshot extends JourneySnapshotSchema.class {}
JourneySnapshotSchema.setClass(JourneySnapshot);
