// The rows of a person, in the words of the console: what they are, and what an erasure does with them.

type TableRows = {
  readonly table: string;
  readonly outcome: 'DELETED' | 'REDACTED' | 'KEPT';
  readonly before: number | null;
  /** Only of a receipt. */
  readonly later?: number;
};

/** How many rows are deleted, and from how many only the values are removed. */
export function rowsByOutcome(tables: readonly TableRows[]) {
  const sumOf = (wanted: TableRows['outcome']) =>
    tables
      .filter(({ outcome }) => outcome === wanted)
      .reduce((sum, { before, later = 0 }) => sum + (before ?? 0) + later, 0);
  return { deleted: sumOf('DELETED'), redacted: sumOf('REDACTED') };
}

/** The kinds of data that an erasure keeps, shorter than table by table. */
export function keptInWords(tables: readonly TableRows[]): string {
  const kept = tables.filter(({ outcome }) => outcome === 'KEPT');
  const kinds = kept.map(({ table }) => KEPT[table] ?? rowsInWords(table).toLowerCase());
  const words = new Intl.ListFormat('en').format(new Set(kinds));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const OF_PAYMENTS = 'payments and their records';
const OF_PARTNERS = 'identity checks, tax certificates and deals of partners';

const KEPT: Readonly<Record<string, string>> = {
  gateway_events: OF_PAYMENTS,
  gateway_links: OF_PAYMENTS,
  gateway_orders: OF_PAYMENTS,
  gateway_described_words: OF_PAYMENTS,
  gateway_payments: OF_PAYMENTS,
  gateway_refunds: OF_PAYMENTS,
  gateway_disputes: OF_PAYMENTS,
  gateway_subscriptions: OF_PAYMENTS,
  gateway_effects: OF_PAYMENTS,
  rejected_events_replays: 'corrections of rejected events',
  kyc_submissions: OF_PARTNERS,
  kyc_secrets: OF_PARTNERS,
  tax_certificates: OF_PARTNERS,
  agency_deals: OF_PARTNERS,
};

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
