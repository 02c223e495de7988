import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../platform/database/columns.ts';

export const PropertySchema = defineEntity({
  name: 'Property',
  tableName: 'properties',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    name: p.text(),
    createdAt: createdAt(),
  },
});

/** A website or an app of a workspace. */
export class Property extends PropertySchema.class {}
PropertySchema.setClass(Property);
