import { defineEntity, p } from '@mikro-orm/core';

const JourneySnapshotPinSchema = defineEntity({
  name: 'JourneySnapshotPin',
  tableName: 'journey_snapshot_pins',
  properties: {
    snapshotId: p.uuid().primary(),
    nodeId: p.text().primary(),
    workspaceId: p.uuid(),
    versionId: p.uuid(),
  },
});

/** The version that a snapshot has for a send node; never changed. */
export class JourneySnapshotPin extends JourneySnapshotPinSchema.class {}
JourneySnapshotPinSchema.setClass(JourneySnapshotPin);
