import type { EntityManager } from '@mikro-orm/postgresql';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { recordChange } from '../../platform/audit.ts';
import type { AppDeps } from '../../platform/context.ts';
import { numberedSql } from '../../platform/database/numbered-sql.ts';
import { ENDPOINT_DISABLED_TYPE } from '../event-types.ts';
import { FAILING_MS_MAX } from '../schedule.ts';

export type DisableScope = {
  readonly em: EntityManager;
  readonly deps: Pick<AppDeps, 'clock' | 'newId'>;
};

export type DisabledEndpoint = {
  readonly endpointId: string;
  readonly reason: 'GONE' | 'FAILING';
};

/** The actor of a change that no user made. */
const ACTOR_ID = 'system';

/**
 * Disables endpoints that responded with 410, and failing endpoints that have failed for days.
 * Notifies the workspace's other endpoints and writes the audit log.
 */
export async function disableEndpoints(
  scope: DisableScope,
  { gone, failing }: { readonly gone: readonly string[]; readonly failing: readonly string[] },
): Promise<readonly DisabledEndpoint[]> {
  const { rows } = await numberedSql(scope.em).executeSql(DISABLE, [
    gone,
    failing,
    FAILING_MS_MAX,
    new Date(scope.deps.clock.nowMs()).toISOString(),
  ]);
  const disabled = rows as Disabled[];
  for (const endpoint of disabled) {
    await tell(scope, endpoint);
    await audit(scope, endpoint);
  }
  return disabled.map(({ id, reason }) => ({ endpointId: id, reason }));
}

type Disabled = {
  readonly id: string;
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly description: string;
  readonly reason: 'GONE' | 'FAILING';
  readonly failingSince: string | null;
  readonly disabledAt: string;
};

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

const DISABLE = `
  WITH chosen AS (
    SELECT endpoint.id FROM webhook_endpoints endpoint
    WHERE state = 'ENABLED' AND (id = ANY($1::uuid[]) OR (id = ANY($2::uuid[])
      AND failing_since < now() - $3::float8 * interval '1 millisecond'))
    ORDER BY id FOR NO KEY UPDATE)
  UPDATE webhook_endpoints endpoint
  SET state = 'AUTO_DISABLED', disabled_at = $4::timestamptz, updated_at = $4::timestamptz, version = version + 1,
      disabled_reason = CASE WHEN endpoint.id = ANY($1::uuid[]) THEN 'GONE' ELSE 'FAILING' END
  FROM chosen, workspaces workspace
  WHERE endpoint.id = chosen.id AND workspace.id = endpoint.workspace_id
  RETURNING endpoint.id, endpoint.workspace_id AS "workspaceId",
    workspace.organization_id AS "organizationId", endpoint.description,
    endpoint.disabled_reason AS reason,
    to_char(endpoint.failing_since AT TIME ZONE 'UTC', ${ISO}) AS "failingSince",
    to_char(endpoint.disabled_at AT TIME ZONE 'UTC', ${ISO}) AS "disabledAt"`;

/** Omits the URL, which may have a secret in its path. */
async function tell({ em }: DisableScope, endpoint: Disabled): Promise<void> {
  const { id, workspaceId, description, reason, failingSince, disabledAt } = endpoint;
  await em.execute(
    `INSERT INTO outbound_events (id, workspace_id, type, payload, occurred_at)
     VALUES (?, ?, ?, ?::jsonb, ?) ON CONFLICT (id) DO NOTHING`,
    [
      derivedUuid('webhook endpoint disabled', id, disabledAt),
      workspaceId,
      ENDPOINT_DISABLED_TYPE,
      JSON.stringify({
        endpoint_id: id,
        description,
        reason,
        failing_since: failingSince,
        occurred_at: disabledAt,
      }),
      disabledAt,
    ],
  );
}

async function audit({ em, deps }: DisableScope, endpoint: Disabled): Promise<void> {
  const { id, workspaceId, organizationId, reason, failingSince } = endpoint;
  const viewer = { userId: ACTOR_ID, organizationId, workspaceId, roles: new Set<never>() };
  await recordChange(
    { em, viewer, deps, requestId: deps.newId() },
    {
      action: 'webhook_endpoint.auto_disable',
      subjectType: 'webhook_endpoint',
      subjectId: id,
      before: { state: 'ENABLED' },
      after: { state: 'AUTO_DISABLED', reason, failingSince },
    },
  );
}
