import type { EntityManager } from '@mikro-orm/postgresql';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { recordChange } from '../../platform/audit.ts';
import type { AppDeps } from '../../platform/context.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import { emitEvent } from '../emit-event.ts';
import { ENDPOINT_DISABLED_TYPE } from '../event-types.ts';
import { FAILING_MS_MAX } from '../schedule.ts';

type DisableScope = {
  readonly em: EntityManager;
  readonly deps: Pick<AppDeps, 'clock' | 'newId'>;
};

type DisabledEndpoint = {
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
  const now = new Date(scope.deps.clock.nowMs());
  const disabled = await rowsOf(
    scope.em,
    sql<Disabled>`
      WITH chosen AS (
        SELECT endpoint.id FROM webhook_endpoints endpoint
        WHERE state = 'ENABLED' AND (id = ANY(${gone}::uuid[]) OR (id = ANY(${failing}::uuid[])
          AND failing_since < now() - ${FAILING_MS_MAX}::float8 * interval '1 millisecond'))
        ORDER BY id FOR NO KEY UPDATE)
      UPDATE webhook_endpoints endpoint
      SET state = 'AUTO_DISABLED', disabled_at = ${now}, updated_at = ${now}, version = version + 1,
          disabled_reason = CASE WHEN endpoint.id = ANY(${gone}::uuid[]) THEN 'GONE' ELSE 'FAILING' END
      FROM chosen, workspaces workspace
      WHERE endpoint.id = chosen.id AND workspace.id = endpoint.workspace_id
      RETURNING endpoint.id, endpoint.workspace_id, workspace.organization_id,
        endpoint.description, endpoint.disabled_reason AS reason, endpoint.failing_since,
        endpoint.disabled_at`,
  );
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
  readonly failingSince: Date | null;
  readonly disabledAt: Date;
};

/** Omits the URL, which may have a secret in its path. */
async function tell({ em }: DisableScope, endpoint: Disabled): Promise<void> {
  const { id, workspaceId, description, reason, failingSince, disabledAt } = endpoint;
  await emitEvent(em, {
    id: derivedUuid('webhook endpoint disabled', id, disabledAt.toISOString()),
    workspaceId,
    type: ENDPOINT_DISABLED_TYPE,
    facts: { endpoint_id: id, description, reason, failing_since: failingSince },
    occurredAt: disabledAt,
  });
}

async function audit({ em, deps }: DisableScope, endpoint: Disabled): Promise<void> {
  const { id, workspaceId, organizationId, reason, failingSince } = endpoint;
  const viewer = { userId: ACTOR_ID, organizationId, workspaceId, roles: new Set<never>() };
  await recordChange(
    { em, viewer, deps, requestId: deps.newId() },
    {
      action: 'webhook_endpoint.auto_disable',
      subjectId: id,
      before: { state: 'ENABLED' },
      after: { state: 'AUTO_DISABLED', reason, failingSince },
    },
  );
}
