import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sql, type Tenant } from '../../harness/tenant.ts';
import type { Api } from '../harness/api-process.ts';
import { recordPayment } from '../harness/gateway.ts';
import { tokenFor } from '../harness/tokens.ts';

export function paymentQueries(api: () => Api) {
  async function ask(tenant: Tenant, document: string, variables: Record<string, unknown> = {}) {
    const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
    const answer = await api().graphql(document, { token, variables });
    expect(answer.errors, answer.text).toBeUndefined();
    return answer.data as Record<string, unknown>;
  }

  async function idsOf(tenant: Tenant, filter: Record<string, unknown>): Promise<string[]> {
    const data = await ask(
      tenant,
      `query (
      $status: String, $methods: [String!], $objectId: String, $search: String, $since: DateTime,
      $until: DateTime
    ) {
      gatewayPayments(
        first: 10, status: $status, methods: $methods, objectId: $objectId, search: $search,
        since: $since, until: $until
      ) { nodes { cfPaymentId } }
    }`,
      filter,
    );
    const { nodes } = data.gatewayPayments as { nodes: { cfPaymentId: string }[] };
    return nodes.map(({ cfPaymentId }) => cfPaymentId);
  }
  return { ask, idsOf };
}

/** Each test has its own IDs, since those in the platform's account are shared by all of them. */
export async function pay(tenant: Tenant, of: { orderId?: string; subscriptionId?: string } = {}) {
  const cfPaymentId = randomUUID();
  const account = { accountId: tenant.workspaceId, amountMinor: 100n };
  await recordPayment(tenant, { ...account, cfPaymentId, ...of });
  return cfPaymentId;
}

export async function change(cfPaymentId: string, column: string, value: string) {
  await sql(`UPDATE gateway_payments SET ${column} = $2 WHERE cf_payment_id = $1`, [
    cfPaymentId,
    value,
  ]);
}
