// Webhook data of a tenant, for the tests that walk the schema.

import { newWebhookSecret, webhookSecretPlace } from '../../../graphql-api/webhooks/signature.ts';
import { parseEncryptionKeys } from '../../../schema/environment/encryption-keys.ts';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { createSecrets } from '../../../schema/values/sealing.ts';
import { TEST_ENCRYPTION_KEYS } from '../../harness/environments.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';

/** An unused port. */
export const NOBODYS_URL = 'http://127.0.0.1:1/hook';

export function webhookEndpointIdOf({ workspaceId }: Pick<Tenant, 'workspaceId'>): string {
  return derivedUuid('webhook endpoint of a test', workspaceId);
}

export function webhookDeliveryIdOf({ workspaceId }: Pick<Tenant, 'workspaceId'>): string {
  return derivedUuid('webhook delivery of a test', workspaceId);
}

/** An endpoint with a completed delivery. Nothing is pending, so no process changes it. */
export async function furnishWebhooks(tenant: Tenant): Promise<void> {
  const { workspaceId } = tenant;
  const [endpointId, deliveryId] = [webhookEndpointIdOf(tenant), webhookDeliveryIdOf(tenant)];
  await sql(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, event_types, created_by)
     VALUES ($1, $2, $3, '{payment.*}', 'user-of-a-test')`,
    [endpointId, workspaceId, `${NOBODYS_URL}/of-${workspaceId}`],
  );
  const secrets = createSecrets(parseEncryptionKeys(TEST_ENCRYPTION_KEYS)!);
  const { keyId, sealed } = secrets.seal(webhookSecretPlace(endpointId), newWebhookSecret());
  await sql(
    `INSERT INTO webhook_secrets (endpoint_id, workspace_id, generation, key_id, sealed)
     VALUES ($1, $2, 'CURRENT', $3, $4)`,
    [endpointId, workspaceId, keyId, sealed],
  );
  await sql(
    `INSERT INTO webhook_deliveries (id, workspace_id, endpoint_id, event_id, event_type, state,
       attempts, last_status, last_outcome, last_latency_ms, finished_at)
     VALUES ($1, $2, $3, gen_random_uuid(), 'payment.succeeded', 'DELIVERED', 1, 200, 'DELIVERED', 7,
       now())`,
    [deliveryId, workspaceId, endpointId],
  );
  await sql(
    `INSERT INTO webhook_attempts (delivery_id, workspace_id, number, cause, attempted_at, outcome,
       status, latency_ms, reason)
     VALUES ($1, $2, 1, 'SCHEDULED', now(), 'DELIVERED', 200, 7, $3)`,
    [deliveryId, workspaceId, `of-${workspaceId}`],
  );
}
