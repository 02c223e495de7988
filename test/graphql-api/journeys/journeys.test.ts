// A journey as its users see it: over GraphQL, with the processes that move people and write audits.

import { describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/graph/node-id.ts';
import { createContact } from '../../harness/campaign.ts';
import { eventually } from '../../harness/eventually.ts';
import { createTemplate, createVersion } from '../../harness/template.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useApi } from '../harness/api-process.ts';
import { ask, mutate, refusals, tryMutation } from '../harness/mutate.ts';

const api = useApi();

type Scene = { readonly tenant: Tenant; readonly templateId: string; readonly versionId: string };

async function scene(): Promise<Scene> {
  const tenant = await createTenant();
  const templateId = await createTemplate(tenant.workspaceId);
  const versionId = await createVersion(tenant.workspaceId, { templateId, state: 'Active' });
  return { tenant, templateId, versionId };
}

const asker = ({ tenant }: Scene) => ({ api: api(), tenant });

function sendNode({ templateId }: Scene, next: string) {
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

const WAIT = { id: 'wait', kind: 'WAIT', seconds: 3600, next: 'end' };
const END = { id: 'end', kind: 'END' };

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

async function audits({ tenant }: Scene): Promise<Record<string, unknown>[]> {
  return sql(
    `SELECT row ->> 'version_id' AS version_id, row ->> 'reason' AS reason FROM ingest_outbox
     WHERE workspace_id = $1 AND table_name = 'send_audits_raw'`,
    [tenant.workspaceId],
  );
}

describe.concurrent('a journey', () => {
  test('takes people in once, sends what they are pinned to, and says who is on which version', async () => {
    const of = await scene();
    const { userId } = await createContact(of.tenant.workspaceId, {
      traits: { first_name: 'Asha' },
    });
    const id = await activeJourney(of, [sendNode(of, 'wait'), WAIT, END]);
    const first = await enrol(of, id, [userId, 'nobody']);
    expect([first.enrolmentIds.length, first.unknownUserIds]).toEqual([1, ['nobody']]);
    expect((await enrol(of, id, [userId])).alreadyInside).toEqual([userId]);
    const [enrolmentId] = first.enrolmentIds;
    await eventually(async () => {
      const { enrolment } = await ask<{ enrolment: { state: string; nodeId: string } }>(
        asker(of),
        'query ($id: ID!) { enrolment(id: $id) { state nodeId } }',
        { id: enrolmentId },
      );
      expect(enrolment).toEqual({ state: 'WAITING', nodeId: 'wait' });
    });
    expect(await audits(of)).toEqual([{ version_id: of.versionId, reason: 'pin' }]);
    const next = await createVersion(of.tenant.workspaceId, {
      templateId: of.templateId,
      state: 'Approved',
      number: 2,
    });
    const { rolloutImpact } = await ask<{ rolloutImpact: unknown }>(
      asker(of),
      `query ($id: ID!) { rolloutImpact(id: $id) {
         inFlightCount versions { inFlightCount version { id number } journeys { journey { id } inFlightCount } } } }`,
      { id: encodeNodeId('TemplateVersion', next) },
    );
    const version = { id: encodeNodeId('TemplateVersion', of.versionId), number: 1 };
    expect(rolloutImpact).toEqual({
      inFlightCount: 1,
      versions: [{ inFlightCount: 1, version, journeys: [{ journey: { id }, inFlightCount: 1 }] }],
    });
  });

  test('keeps its template from being deleted, until nobody is on the way', async () => {
    const of = await scene();
    const { userId } = await createContact(of.tenant.workspaceId, {
      traits: { first_name: 'Asha' },
    });
    const id = await activeJourney(of, [WAIT, { ...sendNode(of, 'end') }, END].map(linked));
    const { enrolmentIds } = await enrol(of, id, [userId]);
    const template = encodeNodeId('Template', of.templateId);
    const answer = await tryMutation(asker(of), 'templateArchive', { id: template }, '__typename');
    expect(answer.text).toContain('TEMPLATE_PINNED');
    await mutate(asker(of), 'enrolmentExit', { id: enrolmentIds[0]! }, 'enrolment { state }');
    await mutate(asker(of), 'templateArchive', { id: template }, '__typename');
    expect(await refusals(asker(of), 'journeyEnrol', { id, input: { userIds: [userId] } })).toEqual(
      ['JOURNEY_INCOMPLETE'],
    );
  });

  test('shows a widget, and goes on where its answer leads', async () => {
    const of = await scene();
    const { userId } = await createContact(of.tenant.workspaceId, {
      traits: { first_name: 'Asha' },
    });
    const widget = {
      id: 'ask',
      kind: 'WIDGET',
      type: 'MODAL',
      content: { title: 'Hello' },
      seconds: 3600,
      next: 'send',
      onDismissed: 'end',
    };
    const id = await activeJourney(of, [widget, sendNode(of, 'end'), END]);
    const { enrolmentIds } = await enrol(of, id, [userId]);
    const found = await eventually(async () => {
      const rows = await sql(
        'SELECT id, content, state FROM widget_step_executions WHERE workspace_id = $1',
        [of.tenant.workspaceId],
      );
      expect(rows).toHaveLength(1);
      return rows[0]!;
    });
    expect(found).toMatchObject({ content: { title: 'Hello' }, state: 'QUEUED' });
    // As ingest writes it with the acknowledgement.
    await sql(
      `INSERT INTO journey_signals (id, workspace_id, step_execution_id, enrolment_id, outcome, occurred_at)
       SELECT gen_random_uuid(), workspace_id, id, enrolment_id, 'CLICKED', now()
       FROM widget_step_executions WHERE id = $1`,
      [found.id],
    );
    await eventually(async () => {
      const { enrolment } = await ask<{ enrolment: { state: string } }>(
        asker(of),
        'query ($id: ID!) { enrolment(id: $id) { state } }',
        { id: enrolmentIds[0] },
      );
      expect(enrolment.state).toBe('COMPLETED');
    });
    expect(await audits(of)).toEqual([{ version_id: of.versionId, reason: 'pin' }]);
  });

  test('moves whose data no longer fills the pin, once a version is Active that it does fill', async () => {
    const of = await scene();
    const { workspaceId } = of.tenant;
    const { userId } = await createContact(workspaceId, { traits: { given_name: 'Asha' } });
    const id = await activeJourney(of, [WAIT, sendNode(of, 'end'), END].map(linked));
    const { enrolmentIds } = await enrol(of, id, [userId]);
    const next = await createVersion(workspaceId, {
      templateId: of.templateId,
      state: 'Approved',
      number: 2,
      body: 'Hello {{given_name}}, your order is on its way.',
    });
    const versionId = encodeNodeId('TemplateVersion', next);
    await mutate(asker(of), 'templateVersionActivate', { id: versionId }, '__typename');
    await eventually(async () => {
      const { enrolment } = await ask<{ enrolment: unknown }>(
        asker(of),
        'query ($id: ID!) { enrolment(id: $id) { versions { pinned { number } override { number } overrideKind overrideReason } } }',
        { id: enrolmentIds[0] },
      );
      const overrideReason = 'The pinned version needs first_name.';
      const held = { pinned: { number: 1 }, override: { number: 2 }, overrideKind: 'MIGRATED' };
      expect(enrolment).toEqual({ versions: [{ ...held, overrideReason }] });
    });
    const cards = await sql(
      `SELECT row ->> 'kind' AS kind, row ->> 'user_id' AS user_id FROM ingest_outbox
       WHERE workspace_id = $1 AND table_name = 'activity_cards_raw'`,
      [workspaceId],
    );
    expect(cards).toEqual([{ kind: 'journey.pin_migrated', user_id: userId }]);
  });

  test('is changed by nobody who has not seen what is there', async () => {
    const of = await scene();
    const id = await activeJourney(of, [sendNode(of, 'end'), END]);
    const input = { version: 1, name: 'late' };
    expect(await refusals(asker(of), 'journeyUpdate', { id, input })).toEqual([
      'JOURNEY_CHANGED input.version',
    ]);
  });
});

/** A wait, then the send. */
function linked<T extends { readonly id: string }>(node: T): T {
  return node.id === 'wait' ? { ...node, next: 'send' } : node;
}
