import { defineEntity, p } from '@mikro-orm/core';

const EnrolmentCountSchema = defineEntity({
  name: 'EnrolmentCount',
  tableName: 'enrolment_counts',
  properties: {
    id: p.uuid().primary(),
    snapshotId: p.uuid(),
    workspaceId: p.uuid(),
    inFlight: p.integer(),
  },
});

/** How many entered with a snapshot (or left, below zero) in one statement; their sum is in flight. */
export class EnrolmentCount extends EnrolmentCountSchema.class {}
EnrolmentCountSchema.setClass(EnrolmentCount);
