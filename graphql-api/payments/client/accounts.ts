// Selects the merchant account of a call: the workspace's own account, or the platform's account
// for managed workspaces and for the platform's own billing.

import type { EntityManager } from '@mikro-orm/postgresql';
import { PLATFORM_ACCOUNT_ID } from '../../../schema/gateway/account.ts';
import { gatewaySecretPlace } from '../../../schema/gateway/secret-place.ts';
import type { AppDeps } from '../../platform/context.ts';
import { reject } from '../../platform/rejected.ts';
import { secretsOf } from '../../platform/secrets.ts';
import type { Environment } from './call-limits.ts';
import type { GatewayAccount } from './gateway-client.ts';

type Deps = Pick<AppDeps, 'config'>;

/** The account for new objects. Without a workspace, the platform's account. */
export async function accountOfWorkspace(
  em: EntityManager,
  deps: Deps,
  workspaceId: string | undefined,
): Promise<GatewayAccount> {
  const own = workspaceId === undefined ? undefined : await ownAccount(em, deps, workspaceId);
  return own ?? platformAccount(deps);
}

/**
 * The account of an existing object. It does not change when the workspace's credentials change.
 */
export async function accountById(
  em: EntityManager,
  deps: Deps,
  accountId: string,
): Promise<GatewayAccount> {
  if (accountId === PLATFORM_ACCOUNT_ID) return platformAccount(deps);
  return (await ownAccount(em, deps, accountId)) ?? reject('GATEWAY_NOT_CONFIGURED');
}

function platformAccount({ config }: Deps): GatewayAccount {
  const { platform } = config.gateway;
  return platform === undefined
    ? reject('GATEWAY_NOT_CONFIGURED')
    : { ...platform, accountId: PLATFORM_ACCOUNT_ID };
}

type CredentialsRow = {
  readonly environment: Environment;
  readonly client_id: string;
  readonly key_id: string | null;
  readonly sealed: string | null;
};

/** Undefined if the workspace has no account of its own. */
async function ownAccount(
  em: EntityManager,
  deps: Deps,
  workspaceId: string,
): Promise<GatewayAccount | undefined> {
  const [row] = await em.execute<CredentialsRow[]>(
    `SELECT environment, client_id, key_id, sealed
     FROM gateway_credentials credentials
     LEFT JOIN gateway_secrets secret ON secret.workspace_id = credentials.workspace_id
       AND secret.field = 'client_secret' AND secret.generation = 'CURRENT'
     WHERE credentials.workspace_id = ? AND credentials.mode = 'BYOM'`,
    [workspaceId],
  );
  if (row === undefined) return undefined;
  if (row.key_id === null || row.sealed === null)
    return reject('GATEWAY_NOT_CONFIGURED', {
      message: 'The workspace has its own merchant account, but its secret key is not set.',
    });
  const place = gatewaySecretPlace(workspaceId, 'client_secret');
  return {
    accountId: workspaceId,
    environment: row.environment,
    clientId: row.client_id,
    clientSecret: secretsOf(deps).open(place, { keyId: row.key_id, sealed: row.sealed }),
  };
}
