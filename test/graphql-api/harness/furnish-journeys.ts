// Journey data of a tenant, for the tests that walk the schema: an active journey with a person who
// is not due, so that no process advances them.

import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';
import { templateIdOf, templateVersionIdOf } from './furnish-templates.ts';

type Workspace = Pick<Tenant, 'workspaceId'>;

export function journeyIdOf({ workspaceId }: Workspace): string {
  return derivedUuid('journey of a test', workspaceId);
}

export function enrolmentIdOf({ workspaceId }: Workspace): string {
  return derivedUuid('enrolment of a test', workspaceId);
}

/** The journey's send node and the node after it. */
export const [SEND_NODE, WAIT_NODE] = ['send', 'wait'] as const;

/** The tenant must have a template and this contact. */
export async function furnishJourneys(tenant: Tenant, contactId: string): Promise<void> {
  const { workspaceId } = tenant;
  const nodes = [
    {
      id: SEND_NODE,
      kind: 'send',
      templateId: templateIdOf(tenant),
      channel: 'messaging_app',
      language: 'en',
      next: WAIT_NODE,
    },
    { id: WAIT_NODE, kind: 'wait', seconds: 60, next: 'end' },
    { id: 'end', kind: 'end' },
  ];
  const ids = [journeyIdOf(tenant), workspaceId, derivedUuid('definition', workspaceId)];
  const snapshotId = derivedUuid('snapshot', workspaceId);
  await sql(
    `WITH journey AS (
       INSERT INTO journeys (id, workspace_id, name, status, created_by)
       VALUES ($1, $2, 'Welcome', 'ACTIVE', 'user-1')
     ), definition AS (
       INSERT INTO journey_definitions (id, journey_id, workspace_id, number, nodes, created_by)
       VALUES ($3, $1, $2, 1, $4, 'user-1')
     )
     INSERT INTO journey_snapshots (id, journey_id, workspace_id, definition_id, hash)
     VALUES ($5::uuid, $1, $2, $3, encode(sha256($5::uuid::text::bytea), 'hex'))`,
    [...ids, JSON.stringify(nodes), snapshotId],
  );
  await sql(
    `WITH pin AS (
       INSERT INTO journey_snapshot_pins (snapshot_id, node_id, workspace_id, version_id)
       VALUES ($1, $2, $3, $4)
     )
     INSERT INTO enrolments (id, workspace_id, journey_id, snapshot_id, contact_id, state, node_id)
     VALUES ($5, $3, $6, $1, $7, 'WAITING', $8)`,
    [
      snapshotId,
      SEND_NODE,
      workspaceId,
      templateVersionIdOf(tenant),
      enrolmentIdOf(tenant),
      journeyIdOf(tenant),
      contactId,
      WAIT_NODE,
    ],
  );
}
