// Stores verified events in the inbox with one statement per group. Existing rows stay unchanged.
// The statement does not NOTIFY, because NOTIFY would serialize the commits of all writers; the
// jobs that process the inbox poll it several times a second.

import type { SecretGeneration, WebhookSecretField } from '../../schema/gateway/secret-place.ts';
import type { PostgresClient } from '../postgres/statement.ts';

export type InboxEvent = {
  readonly id: string;
  /** Empty if the request has none. */
  readonly requestId: string;
  readonly accountId: string;
  readonly eventKey: string;
  readonly type: string;
  readonly family: string;
  readonly version: string;
  /** With memory of its own, outside the heap, because many may be waiting. */
  readonly body: Uint8Array;
  readonly field: WebhookSecretField;
  readonly generation: SecretGeneration;
  readonly receivedAtMs: number;
  readonly eventAtMs: number | undefined;
  /** Known already if a workspace's own secret verified the signature. */
  readonly workspaceId: string | undefined;
};

/**
 * The database's clock determines when the event is due, so the clock of this machine does not
 * matter.
 */
const STORE_EVENTS = `
  INSERT INTO gateway_events (id, account_id, event_key, type, family, version, body,
    verified_field, verified_generation, received_at, event_at, workspace_id, request_id, next_attempt_at)
  SELECT *, now() FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[],
    $6::text[], $7::bytea[], $8::text[], $9::text[], $10::timestamptz[], $11::timestamptz[],
    $12::uuid[], $13::text[]) AS event (id, account_id, event_key, type, family, version, body,
    verified_field, verified_generation, received_at, event_at, workspace_id, request_id)
  ON CONFLICT (account_id, event_key) DO NOTHING
  RETURNING id`;

/** Returns for each event whether it is new. */
export async function storeEvents(
  client: PostgresClient,
  events: readonly InboxEvent[],
): Promise<boolean[]> {
  // All statements insert in the same order. An insert waits for a concurrent insert of the same
  // key, so in different orders two statements could deadlock and both fail.
  const sorted = events.toSorted(
    (a, b) => compare(a.accountId, b.accountId) || compare(a.eventKey, b.eventKey),
  );
  const column = (read: (event: InboxEvent) => unknown) => sorted.map(read);
  const { rows } = await client.query<{ id: string }>({
    text: STORE_EVENTS,
    values: [
      column(event => event.id),
      column(event => event.accountId),
      column(event => event.eventKey),
      column(event => event.type),
      column(event => event.family),
      column(event => event.version),
      column(event => `\\x${hexOf(event.body)}`),
      column(event => event.field),
      column(event => event.generation),
      column(event => new Date(event.receivedAtMs)),
      column(event => (event.eventAtMs === undefined ? null : new Date(event.eventAtMs))),
      column(event => event.workspaceId ?? null),
      column(event => event.requestId || null),
    ],
  });
  const stored = new Set(rows.map(row => row.id));
  return events.map(event => stored.has(event.id));
}

function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
