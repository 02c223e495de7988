// What an erasure says about the tables, in the words of the console.

import { isUnderWay } from '../../../pieces/erasure-progress.ts';
import { inCount } from '../../../pieces/in-words.ts';
import type { ErasedTable, Erasure } from './erasures-query.ts';

/** What the rows of a table are. A table without a word here is shown with its name. */
const ROWS: Readonly<Record<string, string>> = {
  activity_cards_raw: 'Activity cards',
  agency_deals: 'Deals',
  audit_log: 'Audit entries',
  consents: 'Consents',
  contact_search_terms: 'Search terms of the contact',
  contacts: 'Contact',
  deliveries_raw: 'Deliveries',
  delivery_links_raw: 'Links of deliveries',
  devices: 'Devices',
  enrolment_overrides: 'Overrides in journeys',
  enrolments: 'Enrolments in journeys',
  events_late: 'Late events',
  events_raw: 'Events',
  exposures: 'Exposures',
  gateway_described_words: 'Search terms of payments',
  gateway_disputes: 'Disputes',
  gateway_effects: 'Effects of gateway events',
  gateway_events: 'Gateway events',
  gateway_links: 'Payment links',
  gateway_orders: 'Orders',
  gateway_payments: 'Payments',
  gateway_refunds: 'Refunds',
  gateway_subscriptions: 'Subscriptions',
  idempotency_records: 'Stored results of requests',
  in_app_events_raw: 'In-app events',
  in_app_responses_raw: 'In-app responses',
  ingest_outbox: 'Warehouse rows to be sent',
  journey_entries: 'Entries into journeys',
  journey_signals: 'Signals to journeys',
  kyc_secrets: 'Bank details',
  kyc_submissions: 'Identity checks',
  outbound_events: 'Outbound events',
  quarantine: 'Files that couldn’t be stored',
  rejected_events_raw: 'Rejected events',
  rejected_events_replays: 'Replays of rejected events',
  segment_members: 'Memberships in segments',
  send_audits_raw: 'Sends',
  spool: 'Recently accepted data',
  tax_certificates: 'Tax certificates',
  webhook_attempts: 'Attempts of webhook deliveries',
  webhook_deliveries: 'Webhook deliveries',
  widget_step_executions: 'Widgets of journeys',
};

export function rowsInWords(table: string): string {
  return ROWS[table] ?? table;
}

export function outcomeInWords({ outcome, left }: ErasedTable, erasure: Erasure): string {
  const isDone = !isUnderWay(erasure) && left === 0;
  if (outcome === 'DELETED') return isDone ? 'Deleted' : 'To delete';
  if (outcome === 'REDACTED') return isDone ? 'Values removed' : 'Values to remove';
  return 'Kept';
}

/** Why an erasure is not completed yet. */
export function standingInWords({ state, lateDays }: Erasure): string {
  const days = lateDays === 1 ? '1 day' : `${inCount(lateDays)} days`;
  switch (state) {
    case 'QUEUED':
      return 'The deletion starts within seconds, or after other erasures.';
    case 'RUNNING':
      return 'The rows are being deleted. This takes from seconds to minutes.';
    case 'SETTLING':
      return 'Events that were accepted before the deletion can still be written. The next check deletes them.';
    case 'WATCHING':
      return `Devices that were offline can still send events of this person. They are deleted once a day, for ${days}.`;
    case 'COMPLETED':
      return 'The last check found no rows of this person.';
  }
}
