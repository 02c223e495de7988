import { z } from 'zod';
import { DAY_MS } from '../../schema/values/durations.ts';
import { changeEntity, lockEntity } from '../platform/change-entity.ts';
import { type RawBuilder, rowsOf, sql } from '../platform/database/kysely.ts';
import { notFound, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Organization } from './organization.entity.ts';

/** Time to take data out, and to notice a mistake before people's data is gone. */
export const ERASE_AFTER_DAYS = 30;

export const organizationCloseContract = z.strictObject({
  id: z.uuid(),
  /** The name of the organization. */
  confirm: z.string(),
});

/**
 * Closes an organization permanently: from now on its tokens, SDK keys and analyst logins are refused, and its
 * webhooks, journeys and segments stop. The data of its people is erased after the grace period. A repeat changes nothing.
 */
export async function organizationClose(
  scope: ActionScope,
  { id, confirm }: z.output<typeof organizationCloseContract>,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps } = scope;
  const organization =
    (await lockEntity(scope, Organization, { id })) ?? notFound('organization', 'id');
  if (confirm !== organization.name)
    reject('CONFIRMATION_MISMATCH', {
      field: ['confirm'],
      message: 'The confirmation must be the exact name of the organization.',
    });
  // Otherwise the last platform admin could lock everyone out.
  if (viewer.organizationId === id)
    reject('BAD_USER_INPUT', { field: ['id'], message: 'Your own organization cannot be closed.' });
  if (organization.closedAt) return { id };
  const closedAt = new Date(deps.clock.nowMs());
  for (const statement of stopping(id, closedAt)) await rowsOf(em, statement);
  const eraseAt = new Date(closedAt.getTime() + ERASE_AFTER_DAYS * DAY_MS);
  return changeEntity(
    scope,
    organization,
    { closedAt, eraseAt },
    {
      action: 'organization.close',
      shown: ({ closedAt = null, eraseAt = null }) => ({ closedAt, eraseAt }),
      organizationId: id,
      workspaceId: null,
    },
  );
}

/** Stops every object that acts on its own. Statements, because the objects belong to several slices. */
function stopping(organizationId: string, now: Date): RawBuilder<unknown>[] {
  const isOfOrganization = sql`workspace_id IN
    (SELECT id FROM workspaces WHERE organization_id = ${organizationId})`;
  return [
    sql`UPDATE sdk_keys SET revoked_at = ${now} WHERE revoked_at IS NULL AND ${isOfOrganization}`,
    sql`UPDATE analyst_logins SET revoked_at = ${now}
        WHERE revoked_at IS NULL AND ${isOfOrganization}`,
    sql`UPDATE webhook_endpoints
        SET state = 'DISABLED', disabled_reason = 'BY_OPERATOR', disabled_at = ${now},
            version = version + 1
        WHERE state <> 'DISABLED' AND ${isOfOrganization}`,
    sql`UPDATE journeys SET status = 'PAUSED', version = version + 1
        WHERE status = 'ACTIVE' AND ${isOfOrganization}`,
    sql`UPDATE segments SET archived_at = ${now}, version = version + 1
        WHERE archived_at IS NULL AND ${isOfOrganization}`,
    sql`DELETE FROM job_requests WHERE organization_id = ${organizationId}`,
  ];
}
