import { CAMPAIGNS_ENTITIES } from '../campaigns/tables.ts';
import { CONTACTS_ENTITIES } from '../contacts/tables.ts';
import { EVENTS_ENTITIES } from '../events/tables.ts';
import { EXPORTS_ENTITIES } from '../exports/tables.ts';
import { JOURNEYS_ENTITIES } from '../journeys/tables.ts';
import { MOVES_ENTITIES } from '../moves/tables.ts';
import { PARTNER_ENTITIES } from '../partner/tables.ts';
import { PAYMENTS_ENTITIES } from '../payments/tables.ts';
import { PLATFORM_ENTITIES } from '../platform/tables.ts';
import { PRIVACY_ENTITIES } from '../privacy/tables.ts';
import { SEGMENTS_ENTITIES } from '../segments/tables.ts';
import { TEMPLATES_ENTITIES } from '../templates/tables.ts';
import { TENANCY_ENTITIES } from '../tenancy/tables.ts';
import { WEBHOOKS_ENTITIES } from '../webhooks/tables.ts';

export const ALL_ENTITIES = [
  ...CAMPAIGNS_ENTITIES,
  ...CONTACTS_ENTITIES,
  ...EVENTS_ENTITIES,
  ...EXPORTS_ENTITIES,
  ...JOURNEYS_ENTITIES,
  ...MOVES_ENTITIES,
  ...PARTNER_ENTITIES,
  ...PAYMENTS_ENTITIES,
  ...PLATFORM_ENTITIES,
  ...SEGMENTS_ENTITIES,
  ...PRIVACY_ENTITIES,
  ...TEMPLATES_ENTITIES,
  ...TENANCY_ENTITIES,
  ...WEBHOOKS_ENTITIES,
];
