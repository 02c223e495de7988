import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

export const RevokedSubjectSchema = defineEntity({
  name: 'RevokedSubject',
  tableName: 'revoked_subjects',
  properties: {
    id: p.uuid().primary(),
    /** Null: in all organizations. */
    organizationId: p.uuid().nullable(),
    /** The claim `sub` of the tokens. */
    subject: p.text(),
    revokedBy: p.text(),
    /** Revoked by a platform admin, so an owner cannot restore the user. */
    isByPlatform: p.boolean().default(false),
    createdAt: instant(),
  },
});

/** A user whose tokens are refused, although they have not expired. */
export class RevokedSubject extends RevokedSubjectSchema.class {}
RevokedSubjectSchema.setClass(RevokedSubject);
