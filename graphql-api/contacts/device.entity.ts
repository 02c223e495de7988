import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

const DeviceSchema = defineEntity({
  name: 'Device',
  tableName: 'devices',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    propertyId: p.uuid().nullable(),
    token: p.text(),
    platform: p.text().$type<'ios' | 'android'>(),
    status: p.text().$type<'ACTIVE' | 'INACTIVE'>().default('ACTIVE'),
    epoch: p.integer().default(1),
    contactId: p.text().nullable(),
    anonymousId: p.text().nullable(),
    appVersion: p.text().nullable(),
    userAgent: p.text().nullable(),
    createdAt: createdAt(),
    epochStartedAt: createdAt(),
    registeredAt: createdAt(),
    deactivatedAt: instant().nullable(),
    deactivationReason: p.text().nullable(),
  },
});

/** A device token of a workspace and a property, or none, for ever. */
export class Device extends DeviceSchema.class {}
DeviceSchema.setClass(Device);
