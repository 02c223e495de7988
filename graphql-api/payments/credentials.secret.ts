import {
  type GatewaySecretField,
  gatewaySecretPlace,
  type WebhookSecretField,
} from '../../schema/gateway/secret-place.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { secretsOf } from '../platform/secrets.ts';

export type NewSecret = {
  readonly workspaceId: string;
  readonly field: GatewaySecretField;
  readonly text: string;
  /** How long the previous secret is still accepted; 0 rejects it immediately. */
  readonly overlapSeconds: number;
};

/** Enough to tell secrets apart. */
const SHOWN_CHARACTERS = 4;

/** Seals a secret and replaces the current one. The credentials row must exist and be locked. */
export async function putGatewaySecret(
  scope: ActionScope,
  { workspaceId, field, text, overlapSeconds }: NewSecret,
): Promise<void> {
  const { em, deps } = scope;
  const place = [workspaceId, field];
  const nowMs = deps.clock.nowMs();
  await em.execute(
    `DELETE FROM gateway_secrets WHERE workspace_id = ? AND field = ? AND generation = 'PREVIOUS'`,
    place,
  );
  if (overlapSeconds > 0 && isForWebhooks(field))
    await em.execute(
      `UPDATE gateway_secrets SET generation = 'PREVIOUS', expires_at = ?
       WHERE workspace_id = ? AND field = ? AND generation = 'CURRENT'`,
      [new Date(nowMs + overlapSeconds * 1000).toISOString(), ...place],
    );
  else await em.execute('DELETE FROM gateway_secrets WHERE workspace_id = ? AND field = ?', place);
  const { keyId, sealed } = secretsOf(deps).seal(gatewaySecretPlace(workspaceId, field), text);
  await em.execute(
    `INSERT INTO gateway_secrets
       (workspace_id, field, generation, key_id, sealed, fingerprint, created_at)
     VALUES (?, ?, 'CURRENT', ?, ?, ?, ?)`,
    [...place, keyId, sealed, text.slice(-SHOWN_CHARACTERS), new Date(nowMs).toISOString()],
  );
}

/** Calls to the gateway always use the current secret, so only webhook secrets have an overlap. */
function isForWebhooks(field: GatewaySecretField): field is WebhookSecretField {
  return field !== 'client_secret';
}
