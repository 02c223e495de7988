// A journey as its users see it: over GraphQL, with the processes that advance people and write
// audits.

import { describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createContact } from '../../harness/campaign.ts';
import { eventually } from '../../harness/eventually.ts';
import { createTemplate, createVersion } from '../../harness/template.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { ask, mutate, refusals, tryMutation } from '../harness/mutate.ts';

const api = useSharedApi();

type Scene = { readonly tenant: Tenant; readonly templateId: string; readonly versionId: string };

async function scene(body?: string): Promise<Scene> {
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

async function cards({ tenant }: Scene): Promise<Record<string, unknown>[]> {
  const rows = await sql(
    `SELECT row ->> 'kind' AS kind, row ->> 'user_id' AS user_id, row ->> 'details' AS details
     FROM ingest_outbox WHERE workspace_id = $1 AND table_name = 'activity_cards_raw'`,
    [tenant.workspaceId],
  );
  return rows.map(row => ({ ...row, details: JSON.parse(String(row.details)) }));
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

describe.concurrent('a journey', () => {
  test('enrols people once, sends their pinned versions, and reports the people on each version', async () => {
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
      body: 'Hello {{first_name}}, your order comes on {{delivery_day}}.',
    });
    const { rolloutImpact } = await ask<{ rolloutImpact: unknown }>(
      asker(of),
      `query ($id: ID!) { rolloutImpact(id: $id) {
         inFlightCount versions {
           inFlightCount version { id number inFlight { journey { id } inFlightCount } }
           journeys { journey { id } inFlightCount }
           diff { isBreaking variables { name change } } } } }`,
      { id: encodeNodeId('TemplateVersion', next) },
    );
    const journeys = [{ journey: { id }, inFlightCount: 1 }];
    const version = {
      id: encodeNodeId('TemplateVersion', of.versionId),
      number: 1,
      inFlight: journeys,
    };
    const variables = [{ name: 'delivery_day', change: 'ADDED' }];
    expect(rolloutImpact).toEqual({
      inFlightCount: 1,
      versions: [{ inFlightCount: 1, version, journeys, diff: { isBreaking: true, variables } }],
    });
  });

  test('lists its enrolments by whether they are in flight, and those of a contact', async () => {
    const of = await scene();
    const { userId } = await createContact(of.tenant.workspaceId, {});
    const { userId: other } = await createContact(of.tenant.workspaceId, {});
    const id = await activeJourney(of, [WAIT, { ...sendNode(of, 'end') }, END].map(linked));
    const [enrolmentId] = (await enrol(of, id, [userId])).enrolmentIds;
    const [othersId] = (await enrol(of, id, [other])).enrolmentIds;
    await mutate(asker(of), 'enrolmentExit', { id: enrolmentId! }, 'enrolment { state }');
    const shown = await ask<Record<string, unknown>>(
      asker(of),
      `query ($id: ID!, $userId: String!) {
         journey(id: $id) {
           theirs: enrolments(first: 5, userId: $userId) { nodes { id } }
           theirsInside: enrolments(first: 5, userId: $userId, isInFlight: true) { nodes { id } }
           nobodys: enrolments(first: 5, userId: "nobody") { nodes { id } }
           inside: enrolments(first: 5, isInFlight: true) { nodes { id } }
           outside: enrolments(first: 5, isInFlight: false) { nodes { id } } }
         contactByUserId(userId: $userId) {
           enrolments(first: 5) { nodes { id state journey { id } } } } }`,
      { id, userId },
    );
    expect(shown).toEqual({
      journey: {
        theirs: { nodes: [{ id: enrolmentId }] },
        theirsInside: { nodes: [] },
        nobodys: { nodes: [] },
        inside: { nodes: [{ id: othersId }] },
        outside: { nodes: [{ id: enrolmentId }] },
      },
      contactByUserId: {
        enrolments: { nodes: [{ id: enrolmentId, state: 'EXITED', journey: { id } }] },
      },
    });
  });

  test('prevents the archiving of its template while enrolments are in flight', async () => {
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

  test('shows a widget, and continues at the node for its response', async () => {
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
    // Inserted like ingest does for an acknowledgement.
    await sql(
      `INSERT INTO journey_signals (id, workspace_id, step_execution_id, enrolment_id, outcome, occurred_at)
       SELECT gen_random_uuid(), workspace_id, id, enrolment_id, 'CLICKED', now()
       FROM widget_step_executions WHERE id = $1`,
      [found.id],
    );
    await completed(of, enrolmentIds[0]);
    expect(await audits(of)).toEqual([{ version_id: of.versionId, reason: 'pin' }]);
  });

  test('migrates people whose data lacks values for the pin, once an Active version has all its values', async () => {
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
        'query ($id: ID!) { enrolment(id: $id) { state versions { pinned { number } override { number } overrideKind overrideReason } } }',
        { id: enrolmentIds[0] },
      );
      const overrideReason = 'The pinned version requires first_name.';
      const held = { pinned: { number: 1 }, override: { number: 2 }, overrideKind: 'MIGRATED' };
      // WAITING: the first step is done, so nothing else sets next_at below.
      expect(enrolment).toEqual({ state: 'WAITING', versions: [{ ...held, overrideReason }] });
    });
    expect(await cards(of)).toMatchObject([{ kind: 'journey.pin_migrated', user_id: userId }]);
    // No hold was requested, so a later forced rollout also applies to these people.
    const better = await createVersion(workspaceId, {
      templateId: of.templateId,
      state: 'Approved',
      number: 3,
      body: 'Dear {{given_name}}, your order is on its way.',
    });
    const forced = encodeNodeId('TemplateVersion', better);
    await mutate(asker(of), 'templateRolloutForce', { id: forced, input: {} }, '__typename');
    await sql('UPDATE enrolments SET next_at = now() WHERE workspace_id = $1', [workspaceId]);
    await completed(of, enrolmentIds[0]);
    expect(await audits(of)).toEqual([{ version_id: better, reason: 'forced' }]);
  });

  test('sends nothing to suppressed contacts, and records this', async () => {
    const of = await scene();
    const { userId, contactId } = await createContact(of.tenant.workspaceId, {
      traits: { first_name: 'Asha' },
    });
    const id = await activeJourney(of, [sendNode(of, 'end'), END]);
    await sql('UPDATE contacts SET suppressed_at = now() WHERE id = $1', [contactId]);
    await completed(of, (await enrol(of, id, [userId])).enrolmentIds[0]);
    expect(await audits(of)).toEqual([]);
    expect(await cards(of)).toMatchObject([
      { kind: 'journey.send_skipped', details: { node_id: 'send', reason: 'suppressed' } },
    ]);
  });

  test('skips a send that lacks a value, also if its name is a built-in property of objects', async () => {
    const of = await scene('Hello {{constructor}}, {{toString}}.');
    const { userId } = await createContact(of.tenant.workspaceId);
    const id = await activeJourney(of, [sendNode(of, 'end'), END]);
    await completed(of, (await enrol(of, id, [userId])).enrolmentIds[0]);
    expect(await audits(of)).toEqual([]);
    const missing = ['constructor', 'toString'];
    expect(await cards(of)).toMatchObject([{ details: { reason: 'values_missing', missing } }]);
  });

  test('that fails does not block other journeys', async () => {
    const [broken, of] = [await scene(), await scene()];
    const enter = async (into: Scene) => {
      const { userId } = await createContact(into.tenant.workspaceId, {
        traits: { first_name: 'Asha' },
      });
      const id = await activeJourney(into, [sendNode(into, 'end'), END]);
      if (into === broken)
        // Nodes that no version of this program accepts.
        await sql(
          `INSERT INTO journey_definitions (id, journey_id, workspace_id, number, nodes, created_by)
           SELECT gen_random_uuid(), journey_id, workspace_id, 2, '[{"id": "a", "kind": "wait", "seconds": 0, "next": "b"}]', 'test'
           FROM journey_definitions WHERE workspace_id = $1;`,
          [into.tenant.workspaceId],
        );
      if (into === broken)
        await sql('UPDATE journeys SET definition_number = 2 WHERE workspace_id = $1', [
          into.tenant.workspaceId,
        ]);
      return (await enrol(into, id, [userId])).enrolmentIds[0];
    };
    await enter(broken);
    await sql(`UPDATE enrolments SET state = 'WAITING', next_at = now() WHERE workspace_id = $1`, [
      broken.tenant.workspaceId,
    ]);
    await completed(of, await enter(of));
    await sql(`UPDATE journeys SET status = 'PAUSED' WHERE workspace_id = $1`, [
      broken.tenant.workspaceId,
    ]);
  });

  test('uses one of several concurrent forced rollouts for everyone', async () => {
    const of = await scene();
    const { workspaceId } = of.tenant;
    const given = { templateId: of.templateId, state: 'Approved' } as const;
    const ids = [
      of.versionId,
      await createVersion(workspaceId, { ...given, number: 2 }),
      await createVersion(workspaceId, { ...given, number: 3 }),
    ];
    const forced = ids.map(id => encodeNodeId('TemplateVersion', id));
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        [...forced, ...forced].map(id =>
          mutate(asker(of), 'templateRolloutForce', { id, input: {} }, '__typename'),
        ),
      );
      const releases = await sql(
        'SELECT version_id, to_version_id FROM pin_releases WHERE workspace_id = $1',
        [workspaceId],
      );
      expect(new Set(releases.map(row => row.to_version_id)).size).toBe(1);
      expect(releases).toHaveLength(2);
      await sql('DELETE FROM pin_releases WHERE workspace_id = $1', [workspaceId]);
    }
  });

  test('keeps a pinned version unchanged if its submission is canceled', async () => {
    const of = await scene();
    const { workspaceId } = of.tenant;
    const { userId } = await createContact(workspaceId, { traits: { first_name: 'Asha' } });
    const given = { templateId: of.templateId, number: 2 } as const;
    const named = await createVersion(workspaceId, { ...given, state: 'Submitted' });
    const versionId = encodeNodeId('TemplateVersion', named);
    const send = { ...sendNode(of, 'end'), versionId };
    const id = await activeJourney(of, [WAIT, send, END].map(linked));
    await enrol(of, id, [userId]);
    await mutate(asker(of), 'templateVersionCancel', { id: versionId }, '__typename');
    const edit = { id: versionId, input: { expectedRevision: 1, body: 'Another text.' } };
    expect(await refusals(asker(of), 'templateVersionEdit', edit)).toEqual(['TEMPLATE_PINNED id']);
    expect(await refusals(asker(of), 'templateVersionDiscard', { id: versionId })).toEqual([
      'TEMPLATE_PINNED id',
    ]);
    const active = encodeNodeId('TemplateVersion', of.versionId);
    await mutate(asker(of), 'templateRolloutForce', { id: active, input: {} }, '__typename');
    const [release] = await sql('SELECT to_version_id FROM pin_releases WHERE version_id = $1', [
      named,
    ]);
    expect(release).toEqual({ to_version_id: of.versionId });
  });

  test('without nodes is refused as invalid input, when created or updated', async () => {
    const of = await scene();
    const id = await activeJourney(of, [sendNode(of, 'end'), END]);
    const none = { input: { name: 'Empty', nodes: [] } };
    expect(await refusals(asker(of), 'journeyCreate', none)).toEqual([
      'BAD_USER_INPUT input.nodes',
    ]);
    const emptied = { id, input: { version: 2, nodes: [] } };
    expect(await refusals(asker(of), 'journeyUpdate', emptied)).toEqual([
      'BAD_USER_INPUT input.nodes',
    ]);
  });

  test('cannot be changed without its current version', async () => {
    const of = await scene();
    const id = await activeJourney(of, [sendNode(of, 'end'), END]);
    const input = { version: 1, name: 'late' };
    expect(await refusals(asker(of), 'journeyUpdate', { id, input })).toEqual([
      'JOURNEY_CHANGED input.version',
    ]);
  });
});

/** Links the wait node to the send node. */
function linked<T extends { readonly id: string }>(node: T): T {
  return node.id === 'wait' ? { ...node, next: 'send' } : node;
}
