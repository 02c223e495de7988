import { expect } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createContact } from '../../harness/campaign.ts';
import { eventually } from '../../harness/eventually.ts';
import { createTemplate, createVersion } from '../../harness/template.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { ask, mutate } from '../harness/mutate.ts';

/** Activates journeys over GraphQL, and follows the people in them. */
export function useJourneyActions() {
  const api = useSharedApi();
  const asker = ({ tenant }: Scene) => ({ api: api(), tenant });

  async function activeJourney(of: Scene, nodes: readonly unknown[]): Promise<string> {
    const { journey } = await mutate<{ journey: { id: string } }>(
      asker(of),
      'journeyCreate',
      { input: { name: 'Welcome', nodes } },
      'journey { id }',
    );
    const { id } = journey;
    await mutate(asker(of), 'journeyActivate', { id, input: { version: 1 } }, 'journey { status }');
    return id;
  }

  async function enrol(of: Scene, id: string, userIds: readonly string[]) {
    return mutate<{ enrolmentIds: string[]; alreadyInside: string[]; unknownUserIds: string[] }>(
      asker(of),
      'journeyEnrol',
      { id, input: { userIds } },
      'enrolmentIds alreadyInside unknownUserIds',
    );
  }

  /** Waits until a process has advanced the person to the end. */
  function completed(of: Scene, id: string | undefined): Promise<void> {
    return eventually(async () => {
      const { enrolment } = await ask<{ enrolment: { state: string } }>(
        asker(of),
        'query ($id: ID!) { enrolment(id: $id) { state } }',
        { id },
      );
      expect(enrolment.state).toBe('COMPLETED');
    });
  }
  return { asker, activeJourney, enrol, completed };
}

export type Scene = {
  readonly tenant: Tenant;
  readonly templateId: string;
  readonly versionId: string;
};

export async function scene(body?: string): Promise<Scene> {
  const tenant = await createTenant();
  const templateId = await createTemplate(tenant.workspaceId);
  const given = body === undefined ? {} : { body };
  const versionId = await createVersion(tenant.workspaceId, {
    templateId,
    state: 'Active',
    ...given,
  });
  return { tenant, templateId, versionId };
}

/** A contact with the value that the template needs. */
export function createAddressee({ tenant }: Scene) {
  return createContact(tenant.workspaceId, { traits: { first_name: 'Asha' } });
}

export function sendNode({ templateId }: Scene, next: string) {
  const template = encodeNodeId('Template', templateId);
  return {
    id: 'send',
    kind: 'SEND',
    templateId: template,
    channel: 'MESSAGING_APP',
    language: 'en',
    next,
  };
}

export const WAIT = { id: 'wait', kind: 'WAIT', seconds: 3600, next: 'end' };

export const END = { id: 'end', kind: 'END' };

export async function audits({ tenant }: Scene): Promise<Record<string, unknown>[]> {
  return sql(
    `SELECT row ->> 'version_id' AS version_id, row ->> 'reason' AS reason FROM ingest_outbox
     WHERE workspace_id = $1 AND table_name = 'send_audits_raw'`,
    [tenant.workspaceId],
  );
}

export async function cards({ tenant }: Scene): Promise<Record<string, unknown>[]> {
  const rows = await sql(
    `SELECT row ->> 'kind' AS kind, row ->> 'user_id' AS user_id, row ->> 'details' AS details
     FROM ingest_outbox WHERE workspace_id = $1 AND table_name = 'activity_cards_raw'`,
    [tenant.workspaceId],
  );
  return rows.map(row => ({ ...row, details: JSON.parse(String(row.details)) }));
}

/** Links the wait node to the send node. */
export function linked<T extends { readonly id: string }>(node: T): T {
  return node.id === 'wait' ? { ...node, next: 'send' } : node;
}
