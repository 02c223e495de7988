// What a tenant has of journeys, for the walkers: an active one, and a person in it who waits for
// nothing, so that no process moves them on.

import { encodeNodeId } from '../../../graphql-api/graph/node-id.ts';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';
import type { AuditCase } from './audit-cases.ts';
import { contactIdOf, furnish } from './furnish.ts';
import { templateIdOf, templateVersionIdOf } from './furnish-templates.ts';

type Workspace = Pick<Tenant, 'workspaceId'>;

export function journeyIdOf({ workspaceId }: Workspace): string {
  return derivedUuid('journey of a test', workspaceId);
}

export function enrolmentIdOf({ workspaceId }: Workspace): string {
  return derivedUuid('enrolment of a test', workspaceId);
}

/** Its send node, and the one after it. */
export const [SEND_NODE, WAIT_NODE] = ['send', 'wait'] as const;

/** Of a tenant with a template and a contact. */
export async function furnishJourneys(tenant: Tenant): Promise<void> {
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
      contactIdOf(tenant),
      WAIT_NODE,
    ],
  );
}

/** What the journey's mutations need to succeed, of a tenant that has all of this and nobody else in. */
export function journeyCase(
  noun: 'Journey' | 'Enrolment' | 'TemplateVersion',
  input?: (tenant: Tenant) => AuditCase['input'],
  prepare?: (tenant: Tenant) => Promise<unknown>,
): (tenant: Tenant) => Promise<AuditCase> {
  const idOf = {
    Journey: journeyIdOf,
    Enrolment: enrolmentIdOf,
    TemplateVersion: templateVersionIdOf,
  };
  return async tenant => {
    await furnish(tenant);
    await prepare?.(tenant);
    return {
      id: encodeNodeId(noun, idOf[noun](tenant)),
      ...(input && { input: input(tenant) ?? {} }),
    };
  };
}

/** By name; all that is walked of journeys. */
export const JOURNEY_INPUTS: Readonly<
  Record<string, (tenant: Tenant) => Readonly<Record<string, unknown>>>
> = {
  journeyActivate: () => ({ version: 1 }),
  journeyCreate: tenant => ({
    name: 'walked',
    nodes: [
      {
        id: 'send',
        kind: 'SEND',
        templateId: encodeNodeId('Template', templateIdOf(tenant)),
        channel: 'MESSAGING_APP',
        language: 'en',
        next: 'end',
      },
      { id: 'end', kind: 'END' },
    ],
  }),
  journeyEnrol: () => ({ userIds: ['walked'] }),
  journeyUpdate: () => ({ version: 1, name: 'walked' }),
  enrolmentHoldCurrent: () => ({ nodeId: SEND_NODE, reason: 'walked' }),
  enrolmentOverride: tenant => ({
    nodeId: SEND_NODE,
    versionId: encodeNodeId('TemplateVersion', templateVersionIdOf(tenant)),
    reason: 'walked',
  }),
  enrolmentOverrideRemove: () => ({ nodeId: SEND_NODE }),
  templateRolloutForce: () => ({}),
};

const inputOf = (name: string) => JOURNEY_INPUTS[name]!;

export const JOURNEY_CASES: Readonly<Record<string, (tenant: Tenant) => Promise<AuditCase>>> = {
  journeyActivate: journeyCase('Journey', inputOf('journeyActivate'), tenant =>
    sql(`UPDATE journeys SET status = 'PAUSED' WHERE id = $1`, [journeyIdOf(tenant)]),
  ),
  journeyArchive: journeyCase('Journey'),
  journeyCreate: async tenant => {
    await furnish(tenant);
    return { input: inputOf('journeyCreate')(tenant) };
  },
  journeyEnrol: journeyCase('Journey', inputOf('journeyEnrol'), ({ workspaceId }) =>
    sql(
      `INSERT INTO contacts (id, workspace_id, user_id) VALUES (gen_random_uuid(), $1, 'walked')`,
      [workspaceId],
    ),
  ),
  journeyPause: journeyCase('Journey'),
  journeyUpdate: journeyCase('Journey', inputOf('journeyUpdate')),
  enrolmentExit: journeyCase('Enrolment'),
  enrolmentHoldCurrent: journeyCase('Enrolment', inputOf('enrolmentHoldCurrent')),
  enrolmentOverride: journeyCase('Enrolment', inputOf('enrolmentOverride')),
  enrolmentOverrideRemove: journeyCase('Enrolment', inputOf('enrolmentOverrideRemove'), tenant =>
    sql(
      `INSERT INTO enrolment_overrides (enrolment_id, node_id, workspace_id, version_id, kind, reason,
           created_by, created_at) VALUES ($1, $2, $3, $4, 'PIN', '', 'user-1', now())`,
      [enrolmentIdOf(tenant), SEND_NODE, tenant.workspaceId, templateVersionIdOf(tenant)],
    ),
  ),
  templateRolloutForce: journeyCase('TemplateVersion', inputOf('templateRolloutForce')),
};
