import { defineEntity, p } from '@mikro-orm/core';

export const JourneySnapshotPinSchema = defineEntity({
  name: 'JourneySnapshotPin',
  tableName: 'journey_snapshot_pins',
  properties: {
    snapshotId: p.uuid().primary(),
    nodeId: p.text().primary(),
    workspaceId: p.uuid(),
    versionId: p.uuid(),
  },
});

/** The version pinned for a send node of a snapshot. Immutable. */
export class JourneySnapshotPin extends JourneySnapshotPinSchema.class {}
JourneySnapshotPinSchema.setClass(JourneySnapshotPin);
