import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../platform/database/columns.ts';

export const AnalystLoginSchema = defineEntity({
  name: 'AnalystLogin',
  tableName: 'analyst_logins',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    name: p.text(),
    userName: p.text(),
    passwordHash: p.text(),
    database: p.text().nullable(),
    applied: p.text().nullable(),
    revokedAt: instant().nullable(),
    removedAt: instant().nullable(),
    createdBy: p.text(),
    createdAt: createdAt(),
  },
});

/** A user of ClickHouse that reads the rows of one workspace. */
export class AnalystLogin extends AnalystLoginSchema.class {}
AnalystLoginSchema.setClass(AnalystLogin);

export const ANALYST_LOGIN_STATES = {
  PENDING: 'The login is being created in ClickHouse. This takes about a second.',
  ACTIVE: 'The login exists in ClickHouse and works.',
  REVOKING: 'The login is revoked, but its removal from ClickHouse has not been confirmed yet.',
  REVOKED: 'The login has been removed from ClickHouse.',
} as const;
export type AnalystLoginState = keyof typeof ANALYST_LOGIN_STATES;

export function analystLoginState({
  applied,
  revokedAt,
  removedAt,
}: Pick<AnalystLogin, 'applied' | 'revokedAt' | 'removedAt'>): AnalystLoginState {
  if (removedAt) return 'REVOKED';
  if (revokedAt) return 'REVOKING';
  return applied ? 'ACTIVE' : 'PENDING';
}
