import type { Sealed } from '../../schema/values/sealing.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { secretsOf } from '../platform/secrets.ts';
import type { WebhookEndpoint } from './endpoint.entity.ts';
import { newWebhookSecret, webhookSecretPlace } from './signature.ts';

/** Creates a secret. The replaced secret also signs during the overlap. Returns the secret sealed,
 * because the idempotency record in Postgres stores the result. */
export async function putSecret(
  { em, deps }: ActionScope,
  { id, workspaceId }: Pick<WebhookEndpoint, 'id' | 'workspaceId'>,
  overlapSeconds: number,
): Promise<Sealed> {
  const nowMs = deps.clock.nowMs();
  await em.execute(
    `DELETE FROM webhook_secrets WHERE endpoint_id = ? AND (generation = 'PREVIOUS' OR ?)`,
    [id, overlapSeconds === 0],
  );
  await em.execute(
    `UPDATE webhook_secrets SET generation = 'PREVIOUS', expires_at = ? WHERE endpoint_id = ?`,
    [new Date(nowMs + overlapSeconds * 1000).toISOString(), id],
  );
  const secret = secretsOf(deps).seal(webhookSecretPlace(id), newWebhookSecret());
  await em.execute(
    `INSERT INTO webhook_secrets (endpoint_id, workspace_id, generation, key_id, sealed, created_at)
     VALUES (?, ?, 'CURRENT', ?, ?, ?)`,
    [id, workspaceId, secret.keyId, secret.sealed, new Date(nowMs).toISOString()],
  );
  return secret;
}
