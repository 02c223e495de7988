import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

const JourneySnapshotSchema = defineEntity({
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

/** A definition with the version of each of its send nodes, shared by all who entered with them. */
export class JourneySnapshot extends JourneySnapshotSchema.class {}
JourneySnapshotSchema.setClass(JourneySnapshot);
