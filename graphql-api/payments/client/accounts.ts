// Selects the merchant account of a call: the workspace's own account, or the platform's account
// for managed workspaces and for the platform's own billing.

import type { EntityManager } from '@mikro-orm/postgresql';
import { PLATFORM_ACCOUNT_ID } from '../../../schema/gateway/account.ts';
import { gatewaySecretPlace } from '../../../schema/gateway/secret-place.ts';
import type { AppDeps } from '../../platform/context.ts';
import { kysely } from '../../platform/database/kysely.ts';
import { reject } from '../../platform/rejected.ts';
import { secretsOf } from '../../platform/secrets.ts';
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

/** Undefined if the workspace has no account of its own. */
async function ownAccount(
  em: EntityManager,
  deps: Deps,
  workspaceId: string,
): Promise<GatewayAccount | undefined> {
  const row = await kysely(em)
    .selectFrom('gateway_credentials as credentials')
    .leftJoin('gateway_secrets as secret', join =>
      join
        .onRef('secret.workspaceId', '=', 'credentials.workspaceId')
        .on('secret.field', '=', 'client_secret')
        .on('secret.generation', '=', 'CURRENT'),
    )
    .select(['environment', 'clientId', 'keyId', 'sealed'])
    .where('credentials.workspaceId', '=', workspaceId)
    .where('mode', '=', 'BYOM')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { environment, clientId, keyId, sealed } = row;
  if (keyId === null || sealed === null)
    return reject('GATEWAY_NOT_CONFIGURED', {
      message:
        'The workspace has its own merchant account, but its secret key is not set. Set it first.',
    });
  const place = gatewaySecretPlace(workspaceId, 'client_secret');
  const clientSecret = secretsOf(deps).open(place, { keyId, sealed });
  return { accountId: workspaceId, environment, clientId: clientId!, clientSecret };
}
