// The pages of payments, with the development gateway, and what the gateway reports to a workspace.

import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { type ApiWithGateway, useApiWithGateway } from '../graphql-api/harness/gateway.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { sql, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';

type Who = 'owner' | 'member' | 'platform_admin';

type PaymentsScene = {
  readonly running: ApiWithGateway;
  /** By default as an owner. */
  readonly openPayments: (tenant: Tenant, path?: string, roles?: Who[]) => Promise<Page>;
};

export function usePayments(): PaymentsScene {
  const running = useApiWithGateway();
  const open = useConsole(useChromium());
  return {
    running,
    async openPayments({ organizationId }, path = '', roles = ['owner']) {
      const token = await tokenFor(organizationId, { roles });
      return open({ url: running.api().url, token, path: `/payments${path}` });
    },
  };
}

/** Sends a gateway event to a workspace; returns its ID. */
export async function tell({ workspaceId }: Tenant, type: string, data: object): Promise<string> {
  const id = randomUUID();
  const body = JSON.stringify({ type, data, event_time: new Date().toISOString() });
  await sql(
    `INSERT INTO gateway_events (id, account_id, event_key, type, family, body, verified_field,
       verified_generation, received_at, next_attempt_at, workspace_id)
     VALUES ($1::uuid, $2, $1::text, $3, 'payment', convert_to($4, 'UTF8'), 'webhook_secret', 'CURRENT',
       now(), now(), $2)`,
    [id, workspaceId, type, body],
  );
  return id;
}
