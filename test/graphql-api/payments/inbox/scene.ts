// The inbox of the payment gateway and its processing, with a separate database, so that no process
// of another test interferes.

import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll } from 'vitest';
import { NEWLY_READABLE } from '../../../../graphql-api/payments/inbox/apply-event.ts';
import { processDueEvents } from '../../../../graphql-api/payments/inbox/process-gateway-events.ts';
import type { AppDeps } from '../../../../graphql-api/platform/context.ts';
import { gatewayEventKey } from '../../../../ingest/gateway/event-key.ts';
import { PLATFORM_ACCOUNT_ID } from '../../../../schema/gateway/account.ts';
import { parseGatewayEvent } from '../../../../schema/gateway/parse-gateway-event.ts';
import { ownDatabase } from '../../../harness/own-database.ts';
import { createTenant, sql, type Tenant } from '../../../harness/tenant.ts';
import { createDeps, type TestDeps } from '../../harness/deps.ts';

export type Json = Readonly<Record<string, unknown>>;

export type Scene = {
  readonly deps: TestDeps;
  readonly urls: { readonly owner: string; readonly app: string; readonly system: string };
  readonly sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  readonly tenant: () => Promise<Tenant>;
  /**
   * Adds an event to the inbox like ingest does. With another key, the same content is another
   * event.
   */
  readonly receive: (body: Json | Buffer, options?: ReceiveOptions) => Promise<string>;
  /** Processes all due events, including those that become due again. */
  readonly work: (deps?: AppDeps) => Promise<void>;
  readonly eventById: (id: string) => Promise<Record<string, unknown>>;
};

export type ReceiveOptions = { readonly accountId?: string; readonly key?: string };

export function useScene(): () => Scene {
  let scene: Scene | undefined;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const urls = await ownDatabase();
    const deps = await createDeps({
      DATABASE_APP_URL: urls.app,
      DATABASE_SYSTEM_URL: urls.system,
      DATABASE_POOL_MAX: '4',
    });
    closing.push(() => deps.warehouses.close());
    closing.push(() => deps.database.close());
    scene = createScene(deps, urls);
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });
  return () => {
    if (scene === undefined) throw new Error('the scene is set in beforeAll; use it in tests only');
    return scene;
  };
}

function createScene(deps: TestDeps, urls: Scene['urls']): Scene {
  const query: Scene['sql'] = (text, values = []) => sql(text, values, urls.owner);
  const scene: Scene = {
    deps,
    urls,
    sql: query,
    tenant: () => createTenant({ databaseUrl: urls.owner }),
    async receive(body, { accountId = PLATFORM_ACCOUNT_ID, key } = {}) {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
      const event = parseGatewayEvent(bytes);
      const id = uuidv7();
      await query(
        `INSERT INTO gateway_events (id, account_id, event_key, type, family, body, verified_field,
           verified_generation, received_at, event_at, next_attempt_at)
         VALUES ($1, $2, $3, $4, $5, $6, 'webhook_secret', 'CURRENT', now(), to_timestamp($7), now())`,
        [
          id,
          accountId,
          key ?? gatewayEventKey(event, bytes),
          event.type,
          event.family,
          bytes,
          event.eventAtMs === undefined ? null : event.eventAtMs / 1000,
        ],
      );
      return id;
    },
    async work(working = deps) {
      while (await isSomethingDue(query)) await processDueEvents(working);
    },
    async eventById(id) {
      const [row] = await query('SELECT * FROM gateway_events WHERE id = $1', [id]);
      return row!;
    },
  };
  return scene;
}

async function isSomethingDue(query: Scene['sql']): Promise<boolean> {
  const due = await query(
    `SELECT 1 FROM gateway_events WHERE ${NEWLY_READABLE} OR next_attempt_at <= now()
       AND state IN ('RECEIVED', 'FAILED', 'IGNORED') LIMIT 1`,
  );
  return due.length > 0;
}

/** An event in the gateway's format. */
export function gatewayEvent(type: string, data: Json, at = '2026-01-15T11:16:10+05:30'): Json {
  return { data, event_time: at, type };
}

export type LinkOptions = {
  readonly accountId: string;
  readonly workspaceId?: string;
  readonly payerOrganizationId?: string;
  readonly linkId?: string;
  readonly cfId?: string | null;
  readonly amountMinor?: number;
};

export async function insertLink(scene: Scene, options: LinkOptions) {
  const linkId = options.linkId ?? `l${randomUUID().replaceAll('-', '')}`;
  const cfId = options.cfId === undefined ? `cf-${linkId}` : options.cfId;
  await scene.sql(
    `INSERT INTO gateway_links (id, account_id, workspace_id, payer_organization_id, link_id, cf_id,
       status, purpose, amount_minor, currency)
     VALUES ($1, $2, $3, $4, $5, $6, 'ACTIVE', 'test', $7, 'INR')`,
    [
      uuidv7(),
      options.accountId,
      options.workspaceId ?? null,
      options.payerOrganizationId ?? null,
      linkId,
      cfId,
      options.amountMinor ?? 100_000,
    ],
  );
  return { linkId, cfId };
}

export type ObjectOptions = {
  readonly accountId: string;
  readonly workspaceId?: string;
  readonly payerOrganizationId?: string;
};

export async function insertOrder(scene: Scene, orderId: string, options: ObjectOptions) {
  await scene.sql(
    `INSERT INTO gateway_orders (id, account_id, workspace_id, payer_organization_id, order_id, status,
       amount_minor, currency)
     VALUES ($1, $2, $3, $4, $5, 'ACTIVE', 100, 'INR')`,
    [
      uuidv7(),
      options.accountId,
      options.workspaceId ?? null,
      options.payerOrganizationId ?? null,
      orderId,
    ],
  );
}

export async function insertSubscription(
  scene: Scene,
  subscriptionId: string,
  options: ObjectOptions,
) {
  await scene.sql(
    `INSERT INTO gateway_subscriptions (id, account_id, workspace_id, payer_organization_id,
       subscription_id, plan_id, status, currency)
     VALUES ($1, $2, $3, $4, $5, 'plan', 'CREATING', 'INR')`,
    [
      uuidv7(),
      options.accountId,
      options.workspaceId ?? null,
      options.payerOrganizationId ?? null,
      subscriptionId,
    ],
  );
}

export async function insertPlan(scene: Scene, planId: string, options: ObjectOptions) {
  await scene.sql(
    `INSERT INTO gateway_plans (id, account_id, workspace_id, plan_id, status, name, type, currency,
       max_amount_minor)
     VALUES ($1, $2, $3, $4, 'CREATING', 'Plan', 'ON_DEMAND', 'INR', 99900)`,
    [uuidv7(), options.accountId, options.workspaceId ?? null, planId],
  );
}

export async function insertVendor(scene: Scene, vendorId: string, options: ObjectOptions) {
  await scene.sql(
    `INSERT INTO gateway_vendors (id, account_id, workspace_id, vendor_id, status, name, business_type,
       account_type, receives_by, receiver_mask)
     VALUES ($1, $2, $3, $4, 'CREATING', 'Vendor', 'Utilities', 'BUSINESS', 'UPI', '…ybl')`,
    [uuidv7(), options.accountId, options.workspaceId ?? null, vendorId],
  );
}

/** A referrer and an organization that it referred. */
export async function insertReferral(scene: Scene) {
  const [referrerId, refereeId] = [uuidv7(), uuidv7()];
  for (const id of [referrerId, refereeId])
    await scene.sql('INSERT INTO organizations (id, name) VALUES ($1, $2)', [id, `Org ${id}`]);
  const code = `C${randomUUID().slice(0, 8)}`;
  await scene.sql('INSERT INTO referral_codes (code, organization_id) VALUES ($1, $2)', [
    code,
    referrerId,
  ]);
  await scene.sql(
    `INSERT INTO referee_relations (referee_organization_id, referrer_organization_id, code)
     VALUES ($1, $2, $3)`,
    [refereeId, referrerId, code],
  );
  return { referrerId, refereeId };
}
