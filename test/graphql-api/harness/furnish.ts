// Data that createTenant does not create, with IDs derived from the tenant's.

import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { createCampaign, expose } from '../../harness/campaign.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';
import { furnishExports } from './export-cases.ts';
import { furnishJourneys } from './furnish-journeys.ts';
import { furnishPartner } from './furnish-partner.ts';
import { furnishPrivacy } from './furnish-privacy.ts';
import { furnishTemplates } from './furnish-templates.ts';
import { furnishWebhooks } from './furnish-webhooks.ts';
import { furnishGateway } from './gateway.ts';
import { createReplay } from './operations.ts';
import { furnishSegments } from './segment-cases.ts';

export const FURNISHED_USER_ID = 'furnished-person';

export function campaignIdOf({ workspaceId }: Tenant): string {
  return derivedUuid('campaign of a test', workspaceId);
}

export function analystLoginIdOf({ workspaceId }: Tenant): string {
  return derivedUuid('analyst login of a test', workspaceId);
}

export function contactIdOf({ workspaceId }: Tenant): string {
  return derivedUuid('contact of a test', workspaceId);
}

/**
 * A draft that could be launched; a contact with a consent, a device and an exposure; and a
 * partner's data.
 */
export async function furnish(tenant: Tenant): Promise<void> {
  const { workspaceId } = tenant;
  await createCampaign(workspaceId, {
    id: campaignIdOf(tenant),
    status: 'DRAFT',
    content: { title: 'Hello' },
  });
  await sql(
    `INSERT INTO contacts (id, workspace_id, user_id, traits) VALUES ($1, $2, $3, '{"plan": "pro"}')`,
    [contactIdOf(tenant), workspaceId, FURNISHED_USER_ID],
  );
  await sql(
    `INSERT INTO consents (contact_id, purpose, workspace_id, status)
     VALUES ($1, 'marketing', $2, 'GRANTED')`,
    [contactIdOf(tenant), workspaceId],
  );
  await sql(
    `INSERT INTO devices (id, workspace_id, token, platform, contact_id)
     VALUES (gen_random_uuid(), $1, $2, 'ios', $3)`,
    [workspaceId, `token-of-${workspaceId}`, contactIdOf(tenant)],
  );
  await createAnalystLogin(tenant);
  await expose(workspaceId, FURNISHED_USER_ID, `campaign-of-${workspaceId}`);
  await createReplay(tenant);
  await furnishPartner(tenant);
  await furnishTemplates(tenant);
  await furnishExports(tenant);
  await furnishSegments(tenant, FURNISHED_USER_ID);
  await furnishJourneys(tenant, contactIdOf(tenant));
  await furnishGateway(tenant);
  await furnishWebhooks(tenant);
  await furnishPrivacy(tenant);
}

/** By default the login is revoked and removed, so that no process creates it in ClickHouse. */
export async function createAnalystLogin(tenant: Tenant, isActive = false): Promise<void> {
  const endedAt = isActive ? null : new Date();
  await sql(
    `INSERT INTO analyst_logins
       (id, workspace_id, name, user_name, password_hash, created_by, revoked_at, removed_at)
     VALUES ($1, $2, 'furnished', $3, repeat('0', 64), 'test', $4, $4)`,
    [
      analystLoginIdOf(tenant),
      tenant.workspaceId,
      `analyst_${analystLoginIdOf(tenant).replaceAll('-', '').slice(0, 12)}`,
      endedAt,
    ],
  );
}
