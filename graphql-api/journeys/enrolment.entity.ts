import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export type EnrolmentState = 'READY' | 'WAITING' | 'COMPLETED' | 'EXITED';

export const EnrolmentSchema = defineEntity({
  name: 'Enrolment',
  tableName: 'enrolments',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    journeyId: p.uuid(),
    snapshotId: p.uuid(),
    contactId: p.uuid(),
    state: p.text().$type<EnrolmentState>().default('READY'),
    nodeId: p.text(),
    nextAt: instant().nullable(),
    createdAt: createdAt(),
    endedAt: instant().nullable(),
  },
});

/** A contact’s passage through a journey. */
export class Enrolment extends EnrolmentSchema.class {}
EnrolmentSchema.setClass(Enrolment);
