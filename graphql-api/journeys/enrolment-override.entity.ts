import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

export type OverrideKind = 'HOLD' | 'PIN' | 'MIGRATED';

export const EnrolmentOverrideSchema = defineEntity({
  name: 'EnrolmentOverride',
  tableName: 'enrolment_overrides',
  properties: {
    enrolmentId: p.uuid().primary(),
    nodeId: p.text().primary(),
    workspaceId: p.uuid(),
    versionId: p.uuid(),
    kind: p.text().$type<OverrideKind>(),
    reason: p.text(),
    createdBy: p.text(),
    createdAt: instant(),
  },
});

/** The version that one enrolment uses at one node, regardless of pins and rollouts. */
export class EnrolmentOverride extends EnrolmentOverrideSchema.class {}
EnrolmentOverrideSchema.setClass(EnrolmentOverride);
