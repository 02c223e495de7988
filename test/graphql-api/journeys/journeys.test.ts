// A journey as its users see it: over GraphQL, with the processes that advance people and write
// audits.

import { describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createContact } from '../../harness/campaign.ts';
import { eventually } from '../../harness/eventually.ts';
import { createVersion } from '../../harness/template.ts';
import { sql } from '../../harness/tenant.ts';
import { ask, mutate, refusals } from '../harness/mutate.ts';
import {
  audits,
  cards,
  createAddressee,
  END,
  linked,
  type Scene,
  scene,
  sendNode,
  useJourneyActions,
  WAIT,
} from './journey-scene.ts';

const { asker, activeJourney, enrol, completed } = useJourneyActions();

describe.concurrent('a journey', () => {
  test('enrols people once, sends their pinned versions, and reports the people on each version', async () => {
    const of = await scene();
    const { userId } = await createAddressee(of);
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

  test('shows a widget, and continues at the node for its response', async () => {
    const of = await scene();
    const { userId } = await createAddressee(of);
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

  test('sends nothing to suppressed contacts, and records this', async () => {
    const of = await scene();
    const { userId, contactId } = await createAddressee(of);
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
      const { userId } = await createAddressee(into);
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
