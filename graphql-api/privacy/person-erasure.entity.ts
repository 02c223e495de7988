import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant, textArray } from '../platform/database/columns.ts';
import type { TableReceipt } from './erase-rows.ts';

const ERASURE_STATES = ['QUEUED', 'RUNNING', 'SETTLING', 'WATCHING', 'COMPLETED'] as const;
export type ErasureState = (typeof ERASURE_STATES)[number];

export const PersonErasureSchema = defineEntity({
  name: 'PersonErasure',
  tableName: 'person_erasures',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    actorId: p.text(),
    state: p.text().$type<ErasureState>().default('QUEUED'),
    digest: p.text(),
    nameHashes: textArray(),
    deviceHashes: textArray(),
    lateDays: p.integer(),
    receipt: p.json<readonly TableReceipt[]>().default('[]'),
    nextPassAt: instant().nullable(),
    createdAt: createdAt(),
    startedAt: instant().nullable(),
    erasedAt: instant().nullable(),
    completedAt: instant().nullable(),
  },
});

export class PersonErasure extends PersonErasureSchema.class {}
PersonErasureSchema.setClass(PersonErasure);
