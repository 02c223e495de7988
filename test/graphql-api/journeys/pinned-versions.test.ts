// The versions of templates that people in a journey are pinned to, and how they are moved to others.

import { describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createContact } from '../../harness/campaign.ts';
import { eventually } from '../../harness/eventually.ts';
import { createVersion } from '../../harness/template.ts';
import { sql } from '../../harness/tenant.ts';
import { ask, mutate, refusals, tryMutation } from '../harness/mutate.ts';
import {
  audits,
  cards,
  createAddressee,
  END,
  linked,
  scene,
  sendNode,
  useJourneyActions,
  WAIT,
} from './journey-scene.ts';

const { asker, activeJourney, enrol, completed } = useJourneyActions();

describe.concurrent('a journey', () => {
  test('prevents the archiving of its template while enrolments are in flight', async () => {
    const of = await scene();
    const { userId } = await createAddressee(of);
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
    const { userId } = await createAddressee(of);
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
});
