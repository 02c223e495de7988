import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';

const PinReleaseSchema = defineEntity({
  name: 'PinRelease',
  tableName: 'pin_releases',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    versionId: p.uuid(),
    scope: p.text().$type<'ALL' | 'JOURNEY'>(),
    journeyId: p.uuid().nullable(),
    toVersionId: p.uuid().nullable(),
    cause: p.text().$type<'FORCE_ROLLOUT' | 'OPERATOR'>(),
    releasedBy: p.text(),
    releasedAt: instant(),
  },
});

/** That pins of a version no longer hold, in all journeys or one. */
export class PinRelease extends PinReleaseSchema.class {}
PinReleaseSchema.setClass(PinRelease);
