// Endpoints and events in a separate database, so that no other process of the run sends these
// deliveries.

import { v7 as uuidv7 } from 'uuid';
import { secretsOf } from '../../../../graphql-api/platform/secrets.ts';
import {
  type Deliveries,
  type DeliveriesOptions,
  startDeliveries,
} from '../../../../graphql-api/webhooks/dispatch/deliveries.ts';
import {
  newWebhookSecret,
  webhookSecretPlace,
} from '../../../../graphql-api/webhooks/signature.ts';
import { ownDatabase } from '../../../harness/own-database.ts';
import { createTenant, sql, type Tenant } from '../../../harness/tenant.ts';
import { createDeps, type TestDeps } from '../../harness/deps.ts';

export type Row = Readonly<Record<string, unknown>>;

export type EndpointOptions = {
  readonly eventTypes?: readonly string[];
  readonly state?: 'ENABLED' | 'DISABLED';
  readonly failingDays?: number;
};

export type DeliveryScene = {
  readonly deps: TestDeps;
  readonly urls: { readonly app: string; readonly system: string };
  query(text: string, values?: unknown[]): Promise<Row[]>;
  createTenant(): Promise<Tenant>;
  addEndpoint(tenant: Tenant, url: string, options?: EndpointOptions): Promise<Endpoint>;
  /** Returns their IDs, in order. */
  addEvents(tenant: Tenant, types: readonly string[]): Promise<readonly string[]>;
  deliveries(endpointId: string): Promise<Row[]>;
  attempts(deliveryId: unknown): Promise<Row[]>;
  /** Makes deliveries due that wait for their next attempt. */
  makeDue(endpointId: string): Promise<void>;
  startSender(options?: DeliveriesOptions): Deliveries;
  close(): Promise<void>;
};

export type Endpoint = { readonly id: string; readonly secret: string };

export async function deliveryScene(): Promise<DeliveryScene> {
  const { owner, app, system } = await ownDatabase();
  const deps = await createDeps({ DATABASE_APP_URL: app, DATABASE_SYSTEM_URL: system });
  const query = (text: string, values?: unknown[]) => sql(text, values, owner);
  const senders: Deliveries[] = [];
  return {
    deps,
    urls: { app, system },
    query,
    createTenant: () => createTenant({ databaseUrl: owner }),
    addEndpoint: (tenant, url, options = {}) => addEndpoint({ deps, query }, tenant, url, options),
    async addEvents({ workspaceId }, types) {
      const ids = types.map(() => uuidv7());
      await query(
        `INSERT INTO outbound_events (id, workspace_id, type, payload, occurred_at)
         SELECT id, $2, type, json_build_object('number', number), '2026-01-15T12:00:00.5Z'
         FROM unnest($1::uuid[], $3::text[]) WITH ORDINALITY AS event (id, type, number)`,
        [ids, workspaceId, types],
      );
      return ids;
    },
    deliveries: endpointId =>
      query('SELECT * FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY created_at, id', [
        endpointId,
      ]),
    attempts: deliveryId =>
      query('SELECT * FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number', [deliveryId]),
    makeDue: async endpointId => {
      await query(
        `UPDATE webhook_deliveries SET next_attempt_at = now()
         WHERE endpoint_id = $1 AND state = 'PENDING'`,
        [endpointId],
      );
    },
    startSender(options) {
      const sender = startDeliveries(deps, options);
      senders.push(sender);
      return sender;
    },
    async close() {
      await Promise.all(senders.map(sender => sender.stop()));
      await deps.warehouses.close();
      await deps.database.close();
    },
  };
}

async function addEndpoint(
  { deps, query }: Pick<DeliveryScene, 'deps' | 'query'>,
  { workspaceId }: Tenant,
  url: string,
  { eventTypes = [], state = 'ENABLED', failingDays }: EndpointOptions,
): Promise<Endpoint> {
  const [id, secret] = [uuidv7(), newWebhookSecret()];
  await query(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, event_types, created_by, state,
       disabled_reason, disabled_at, failing_since)
     VALUES ($1, $2, $3, $4, 'user-1', $5, CASE WHEN $5 = 'DISABLED' THEN 'BY_OPERATOR' END,
             CASE WHEN $5 = 'DISABLED' THEN now() END, now() - make_interval(days => $6))`,
    [id, workspaceId, url, eventTypes, state, failingDays ?? null],
  );
  await addSecret({ deps, query }, { id, workspaceId, secret });
  return { id, secret };
}

type AddedSecret = {
  readonly id: string;
  readonly workspaceId: string;
  readonly secret: string;
  /** When a replaced secret expires. */
  readonly expiresAt?: Date;
};

export async function addSecret(
  { deps, query }: Pick<DeliveryScene, 'deps' | 'query'>,
  { id, workspaceId, secret, expiresAt }: AddedSecret,
): Promise<void> {
  const { keyId, sealed } = secretsOf(deps).seal(webhookSecretPlace(id), secret);
  await query(
    `INSERT INTO webhook_secrets
       (endpoint_id, workspace_id, generation, key_id, sealed, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, workspaceId, expiresAt ? 'PREVIOUS' : 'CURRENT', keyId, sealed, expiresAt ?? null],
  );
}
