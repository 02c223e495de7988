import { ACTIVITY_CARDS_RAW } from './activity-cards-raw.ts';
import { DELIVERIES_RAW } from './deliveries-raw.ts';
import { DELIVERY_LINKS_RAW } from './delivery-links-raw.ts';
import { EVENTS_RAW } from './events-raw.ts';
import { IN_APP_EVENTS_RAW } from './in-app-events-raw.ts';
import { IN_APP_RESPONSES_RAW } from './in-app-responses-raw.ts';
import { OUTBOX_CONTACT_UPDATES } from './outbox-contact-updates.ts';
import { OUTBOX_EXPOSURES } from './outbox-exposures.ts';
import { OUTBOX_OUTBOUND_EVENTS } from './outbox-outbound-events.ts';
import { REJECTED_EVENTS_RAW } from './rejected-events-raw.ts';
import { SEND_AUDITS_RAW } from './send-audits-raw.ts';
import type { Table } from './table.ts';

/** All tables whose rows a spool segment can contain. */
export const ALL_TABLES: readonly Table[] = [
  EVENTS_RAW,
  REJECTED_EVENTS_RAW,
  IN_APP_EVENTS_RAW,
  IN_APP_RESPONSES_RAW,
  DELIVERIES_RAW,
  ACTIVITY_CARDS_RAW,
  SEND_AUDITS_RAW,
  DELIVERY_LINKS_RAW,
  OUTBOX_CONTACT_UPDATES,
  OUTBOX_EXPOSURES,
  OUTBOX_OUTBOUND_EVENTS,
];
