// Every table of Postgres: how rows of a person are found, and how an erasure treats them. A test fails for a
// table that is missing here. To add a table, add one line to PERSONAL_TABLES, KEPT_TABLES or IMPERSONAL_TABLES.

import { type RawBuilder, sql } from '../platform/database/kysely.ts';
import type { PersonKey } from './person-key.ts';

export type PersonalTable = {
  readonly name: string;
  /** `REDACTED` rows are kept without the values that identify the person. */
  readonly outcome: 'DELETED' | 'REDACTED';
  /** A condition on the rows of a person. */
  readonly isOfPerson: (person: PersonKey) => RawBuilder<unknown>;
  /** Replaces `DELETE FROM … WHERE`, for tables that refuse it. */
  readonly remove?: (person: PersonKey, now: Date) => RawBuilder<unknown>;
  /** The reason that rows are kept; only for redacted rows. */
  readonly reason?: string;
};

/** In the order of deletion: rows that refer to other rows come first. */
export const PERSONAL_TABLES: readonly PersonalTable[] = [
  personal('webhook_attempts', person => sql`delivery_id IN (${webhookDeliveriesOf(person)})`),
  personal('webhook_deliveries', person => sql`event_id IN (${outboundEventsOf(person)})`),
  personal('outbound_events', person => inJson('payload', person)),
  personal('ingest_outbox', person => inJson('row', person)),
  personal('journey_signals', person => sql`step_execution_id IN (${widgetsOf(person)})`),
  personal('widget_step_executions', person => isWidgetOf(person)),
  personal('exposures', person => named('user_id', person)),
  personal('devices', person => isDeviceOf(person)),
  personal('consents', person => sql`contact_id IN (${contactsOf(person)})`),
  personal('enrolment_overrides', person => sql`enrolment_id IN (${enrolmentsOf(person)})`),
  personal(
    'enrolments',
    person => sql`contact_id IN (${contactsOf(person)})`,
    (person, now) =>
      sql`SELECT erase_enrolments(${person.workspaceId}, ${person.nameHashes}::text[], ${now})`,
  ),
  personal('journey_entries', person => named('user_id', person)),
  personal('segment_members', person => named('user_id', person)),
  personal('contacts', person => isContactOf(person)),
  // Deleted with their contact, which ingest locks first too.
  personal('contact_search_terms', person => sql`contact_id IN (${contactsOf(person)})`),
  {
    name: 'idempotency_records',
    outcome: 'DELETED',
    isOfPerson: person => isResultAbout(person),
  },
  {
    name: 'audit_log',
    outcome: 'REDACTED',
    isOfPerson: person =>
      sql`workspace_id = ${person.workspaceId} AND subject_type = 'contact' AND ${named('subject_id', person)}`,
    remove: person =>
      sql`SELECT redact_audit_entries(${person.workspaceId}, ${person.nameHashes}::text[])`,
    reason: 'The audit log shows who did what and when; the contact and the values are removed.',
  },
];

const LAW = 'Payments and their records must be kept for accounting and tax purposes.';
const PARTNERS =
  'Data about people in partner organizations, not about a workspace’s contacts; kept for accounting and tax purposes.';

/** Tables that may hold data of the person and are kept, with the reason. */
export const KEPT_TABLES: Readonly<Record<string, string>> = {
  gateway_events:
    'Signed webhooks about payments, which must be kept for accounting and tax purposes.',
  gateway_links: LAW,
  gateway_orders: LAW,
  gateway_described_words: LAW,
  gateway_payments: LAW,
  gateway_refunds: LAW,
  gateway_disputes: LAW,
  gateway_subscriptions: LAW,
  gateway_effects: LAW,
  rejected_events_replays:
    'Corrections as entered by an operator; they may contain an ID of the person.',
  kyc_submissions: PARTNERS,
  kyc_secrets: PARTNERS,
  tax_certificates: PARTNERS,
  agency_deals: PARTNERS,
};

/** Tables without data of the people of a workspace. */
export const IMPERSONAL_TABLES: readonly string[] = [
  'access_revision',
  'affiliate_profiles',
  'agency_profiles',
  'analyst_logins',
  'approval_events',
  'approval_sendings',
  'approval_settings',
  'approval_syncs',
  'campaigns',
  'catalog_entries',
  'cell_moves',
  'cells',
  'conversions',
  'deal_proofs',
  // Derived UUIDs; those of the person's deliveries are deleted, see erase-rows.ts.
  'delivery_names',
  'directory_revisions',
  'earnings',
  'enrolment_counts',
  'event_export_chunks',
  'event_exports',
  'gateway_awaited',
  'gateway_credentials',
  'gateway_link_orders',
  'gateway_plans',
  'gateway_secrets',
  'gateway_settlements',
  'gateway_vendors',
  'invoices',
  'job_requests',
  'job_runs',
  'journey_definitions',
  'journey_snapshot_pins',
  'journey_snapshots',
  'journeys',
  'ledger_accounts',
  'ledger_entries',
  'ledger_transactions',
  'organizations',
  'partner_profiles',
  'payment_facts',
  'payment_reversals',
  'payouts',
  // Hashes, until the erasure is completed.
  'person_erasures',
  'person_exports',
  'pin_releases',
  'privacy_settings',
  'program_terms',
  'properties',
  'quota_windows',
  'redemptions',
  'referee_relations',
  'referral_codes',
  'schema_migrations',
  'schema_release',
  'retention_rules',
  // Users of the API, not the people of a workspace.
  'revoked_subjects',
  'sdk_keys',
  'segments',
  'tax_certificate_lines',
  'tax_forms',
  'template_alerts',
  'template_submissions',
  'template_transitions',
  'template_verdicts',
  'template_versions',
  'templates',
  'wallets',
  'webhook_endpoints',
  'webhook_secrets',
  'workspaces',
];

/** A table of a workspace. */
function personal(
  name: string,
  isOfPerson: PersonalTable['isOfPerson'],
  remove?: PersonalTable['remove'],
): PersonalTable {
  return {
    name,
    outcome: 'DELETED',
    isOfPerson: person => sql`workspace_id = ${person.workspaceId} AND (${isOfPerson(person)})`,
    ...(remove && { remove }),
  };
}

/** `expression` comes from this file, never from a client. */
function named(expression: string, { workspaceId, nameHashes }: PersonKey) {
  return sql`person_hash(${workspaceId}, ${sql.raw(expression)}) = ANY (${nameHashes}::text[])`;
}

function onDevice(expression: string, { workspaceId, deviceHashes }: PersonKey) {
  return sql`person_hash(${workspaceId}, ${sql.raw(expression)}) = ANY (${deviceHashes}::text[])`;
}

/** As in the warehouse, an anonymous ID counts if the row has no other ID. */
function inJson(column: string, person: PersonKey) {
  const field = (key: string) => `coalesce(${column} ->> '${key}', '')`;
  const [user, contact] = [field('user_id'), field('contact_id')];
  return sql`${named(user, person)} OR ${named(contact, person)}
    OR (${sql.raw(user)} = '' AND ${sql.raw(contact)} = '' AND ${onDevice(field('anonymous_id'), person)})`;
}

function isDeviceOf(person: PersonKey) {
  return sql`${named('contact_id', person)}
    OR (coalesce(contact_id, '') = '' AND ${onDevice("coalesce(anonymous_id, '')", person)})`;
}

function isContactOf(person: PersonKey) {
  return sql`${named('user_id', person)} OR ${named('id::text', person)}`;
}

function isWidgetOf(person: PersonKey) {
  return sql`${named('user_id', person)} OR enrolment_id IN (${enrolmentsOf(person)})`;
}

function contactsOf(person: PersonKey) {
  return sql`SELECT id FROM contacts WHERE workspace_id = ${person.workspaceId} AND (${isContactOf(person)})`;
}

function enrolmentsOf(person: PersonKey) {
  return sql`SELECT id FROM enrolments WHERE contact_id IN (${contactsOf(person)})`;
}

function widgetsOf(person: PersonKey) {
  return sql`SELECT id FROM widget_step_executions
    WHERE workspace_id = ${person.workspaceId} AND (${isWidgetOf(person)})`;
}

function outboundEventsOf(person: PersonKey) {
  return sql`SELECT id FROM outbound_events
    WHERE workspace_id = ${person.workspaceId} AND (${inJson('payload', person)})`;
}

function webhookDeliveriesOf(person: PersonKey) {
  return sql`SELECT id FROM webhook_deliveries
    WHERE workspace_id = ${person.workspaceId} AND event_id IN (${outboundEventsOf(person)})`;
}

/** Any text of the result, at any depth. Only a day of results is stored. */
function isResultAbout(person: PersonKey) {
  return sql`organization_id = (SELECT organization_id FROM workspaces WHERE id = ${person.workspaceId})
    AND EXISTS (SELECT FROM jsonb_path_query(result, '$.**') AS value
                WHERE jsonb_typeof(value) = 'string' AND ${named("value #>> '{}'", person)})`;
}
