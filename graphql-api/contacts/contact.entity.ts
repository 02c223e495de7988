import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export const ContactSchema = defineEntity({
  name: 'Contact',
  tableName: 'contacts',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    userId: p.text(),
    anonymousId: p.text().nullable(),
    // Up to 1 MiB, possibly with numbers that no double can hold, so only SQL reads and writes it.
    traits: p.json<Record<string, unknown>>().lazy(),
    // SQL only as well: a Date cannot hold -infinity, the value before any traits are set.
    traitsAt: p.string().columnType('timestamptz').default('-infinity').lazy(),
    suppressedAt: instant().nullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});

/** A person, identified by the application's user ID. */
export class Contact extends ContactSchema.class {}
ContactSchema.setClass(Contact);
