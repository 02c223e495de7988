// Inputs of journey mutations, for the tests that walk the schema.

import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';
import type { AuditCase } from './audit-cases.ts';
import { furnish } from './furnish.ts';
import { enrolmentIdOf, journeyIdOf, SEND_NODE } from './furnish-journeys.ts';
import { templateIdOf, templateVersionIdOf } from './furnish-templates.ts';

/**
 * A case for a journey mutation that succeeds, with a tenant that has all objects and no other
 * person in flight.
 */
function journeyCase(
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

/** Inputs by mutation name, for all journey mutations. */
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
