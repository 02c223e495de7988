// Segments for the tests that walk the schema: an evaluated segment with a member, and inputs.

import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';
import type { AuditCase } from './audit-cases.ts';

export const WALKED_RULE = { event: {}, within_days: 1 };

export function segmentIdOf({ workspaceId }: Pick<Tenant, 'workspaceId'>): string {
  return derivedUuid('segment of a test', workspaceId);
}

export async function furnishSegments(
  tenant: Pick<Tenant, 'workspaceId'>,
  userId: string,
): Promise<void> {
  const { workspaceId } = tenant;
  await sql(
    `INSERT INTO segments (id, workspace_id, name, rule, created_by, evaluated_at, attempted_at, member_count)
     VALUES ($1, $2, $3, $4, 'user-1', now(), now(), 1)`,
    [segmentIdOf(tenant), workspaceId, `segment-of-${workspaceId}`, JSON.stringify(WALKED_RULE)],
  );
  await sql(
    `INSERT INTO segment_members (workspace_id, user_id, segment_id, created_at)
     VALUES ($1, $2, $3, now()), ($1, $4, $3, now())`,
    [workspaceId, userId, segmentIdOf(tenant), `member-of-${workspaceId}`],
  );
}

export const SEGMENT_INPUTS: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
  segmentCreate: () => ({ name: 'walked', rule: WALKED_RULE }),
  segmentUpdate: () => ({ version: 1, name: 'walked' }),
};

function segmentCase(name: string): (tenant: Tenant) => Promise<AuditCase> {
  return async tenant => {
    await furnishSegments(tenant, 'walked');
    const input = SEGMENT_INPUTS[name]?.();
    return { id: encodeNodeId('Segment', segmentIdOf(tenant)), ...(input && { input }) };
  };
}

export const SEGMENT_CASES: Readonly<Record<string, (tenant: Tenant) => Promise<AuditCase>>> = {
  segmentArchive: segmentCase('segmentArchive'),
  segmentUpdate: segmentCase('segmentUpdate'),
};
