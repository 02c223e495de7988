import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant, textArray } from '../platform/database/columns.ts';

export const PersonExportSchema = defineEntity({
  name: 'PersonExport',
  tableName: 'person_exports',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    actorId: p.text(),
    nameHashes: textArray(),
    deviceHashes: textArray(),
    createdAt: createdAt(),
    expiresAt: instant(),
  },
});

/** A permission to download the stored data of a person. */
export class PersonExport extends PersonExportSchema.class {}
PersonExportSchema.setClass(PersonExport);
