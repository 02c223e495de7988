// The verdicts of the approvers, with the development approver.

import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { startApprover } from '../../../../embedded/approver/server.ts';
import { encodeNodeId } from '../../../../graphql-api/platform/graph/node-id.ts';
import type { Role } from '../../../../graphql-api/platform/viewer.ts';
import { messagingAppApprover } from '../../../../graphql-api/templates/approval/messaging-app.ts';
import { signApprovalBody } from '../../../../graphql-api/templates/approval/signature.ts';
import { submitWaiting } from '../../../../graphql-api/templates/approval/submit-waiting.ts';
import { MESSAGING_APP_WEBHOOK_PATH } from '../../../../graphql-api/templates/approval/webhook-paths.ts';
import { eventually } from '../../../harness/eventually.ts';
import {
  APP_SECRET,
  type Row,
  resubmit,
  SMS_SECRET,
  type Submitted,
  submitted,
  useApprovalScene,
} from './approval-scene.ts';
import { approvalSteps } from './approval-steps.ts';

const scene = useApprovalScene();
const { arrived, eventsOf, graphql, post, statusEvent, upstreamOf, versionOf } =
  approvalSteps(scene);

test('a verdict counts once, and a repeated delivery is not a new event', async () => {
  const given = await submitted(scene());
  await scene().submit();
  const [upstream] = await upstreamOf(given);
  expect(upstream).toMatchObject({
    name: `${given.name.slice(0, 60)}_v1_${given.submissionId.slice(-12)}`,
  });
  await scene().control('manner', { copies: 3 });
  await scene().control('decide', { name: given.name });
  await scene().control('manner', { copies: 1 });
  await eventually(async () => {
    const all = (await scene().control('webhooks')) as Row[];
    const own = all.filter(({ body }) => (body as string).includes(given.name));
    expect(own.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
  await arrived(given, 1);
  expect(await eventsOf(given)).toEqual(['APPROVED PROCESSED APPROVED']);
  const told = await scene().sql(
    'SELECT type, payload FROM outbound_events WHERE workspace_id = $1',
    [given.tenant.workspaceId],
  );
  expect(told).toEqual([
    { type: 'template.approved', payload: expect.objectContaining({ upstream_id: upstream!.id }) },
  ]);
});

test('the text determines the verdict, and the reason is stored', async () => {
  const cases = [
    ['Look at https://bit.ly/x about {{order}} now.', 'SCAM'],
    ['You stupid buyer of {{order}} there.', 'ABUSIVE_CONTENT'],
    [
      'Here comes {{order}}',
      'INVALID_FORMAT: Put text before the first and after the last variable.',
    ],
  ] as const;
  for (const [body, reason] of cases) {
    const given = await submitted(scene(), { body });
    await scene().submit();
    await scene().control('decide', { name: given.name });
    await arrived(given, 1);
    expect(await versionOf(given)).toMatchObject({ state: 'Rejected', rejection_reason: reason });
  }
});

test('the verdict of a canceled submission is recorded and ignored, and the submission is withdrawn', async () => {
  const given = await submitted(scene());
  await scene().submit();
  const late = await statusEvent(given, 'APPROVED', 1_800_000_000);
  await scene().sql(
    `UPDATE template_submissions SET state = 'CANCELED', decided_at = now() WHERE id = $1`,
    [given.submissionId],
  );
  await scene().sql(`UPDATE template_versions SET state = 'Draft' WHERE id = $1`, [
    given.versionId,
  ]);
  await resubmit(scene(), given, uuidv7());
  await scene().submit();
  expect((await post(late, signApprovalBody(APP_SECRET, Buffer.from(late)))).status).toBe(200);
  await scene().work();
  expect(await eventsOf(given)).toEqual(['APPROVED IGNORED CANCELED']);
  expect((await versionOf(given)).state).toBe('Submitted');
  const names = (await upstreamOf(given)).map(({ name }) => name as string);
  expect(names).toHaveLength(1);
  expect(names[0]).not.toContain(given.submissionId.slice(-12));
});

test('a version deleted upstream before its verdict is not approved by the deletion', async () => {
  for (const status of ['DELETED', 'ARCHIVED', 'LOCKED']) {
    const given = await submitted(scene());
    await scene().submit();
    await scene().control('decide', { name: given.name, status, isSilent: true });
    await scene().poll();
    expect((await versionOf(given)).state).toBe('Submitted');
  }
});

test('only platform admins decide on emails, and only once', async () => {
  const [good, bad] = [
    await submitted(scene(), { channel: 'email' }),
    await submitted(scene(), { channel: 'email' }),
  ];
  const decide = async (given: Submitted, name: string, role: Role, more = '') => {
    const id = encodeNodeId('TemplateSubmission', given.submissionId);
    const input = `{submissionId: "${id}"${more}}`;
    const data = await graphql(
      given,
      role,
      `mutation { ${name}(input: ${input}) { submissionId userErrors { code } } }`,
    );
    return data?.[name];
  };
  expect(await decide(good, 'templateReviewApprove', 'owner')).toBeFalsy();
  expect((await versionOf(good)).state).toBe('Submitted');
  expect(await decide(good, 'templateReviewApprove', 'platform_admin')).toMatchObject({
    userErrors: [],
  });
  const because = ', reason: "It says nothing."';
  await decide(bad, 'templateReviewReject', 'platform_admin', because);
  expect(await versionOf(good)).toMatchObject({ state: 'Active' });
  expect(await versionOf(bad)).toMatchObject({
    state: 'Rejected',
    rejection_reason: 'It says nothing.',
  });
  expect(await decide(good, 'templateReviewReject', 'platform_admin', because)).toMatchObject({
    userErrors: [{ code: 'TEMPLATE_SUBMISSION_DECIDED' }],
  });
  expect(await versionOf(good)).toMatchObject({ state: 'Active' });
});

test('versions converge to the approver’s state after late, lost, duplicate and paused events', async () => {
  const { deps, sql: query, work } = scene();
  const { messagingApp } = deps.config.approval;
  const own = await startApprover({
    port: 0,
    accountId: messagingApp!.accountId,
    accessToken: messagingApp!.accessToken,
    messagingAppSecret: APP_SECRET,
    smsSecret: SMS_SECRET,
    messagingAppWebhook: `${scene().url}${MESSAGING_APP_WEBHOOK_PATH}`,
    seed: 20_261_121,
  });
  const control = async (what: string, given: Row = {}) => {
    const init = { method: 'POST', body: JSON.stringify(given) };
    return (await (await fetch(`${own.controlUrl}/${what}`, init)).json()) as Row[];
  };
  try {
    await control('manner', {
      verdictMs: [1, 40],
      pausedPercent: 60,
      copies: 2,
      delayMs: 60,
      lostPercent: 30,
    });
    const approver = messagingAppApprover({
      ...messagingApp!,
      baseUrl: own.platformUrl,
      pageSize: 3,
    });
    const approvers = new Map([[approver.channel, approver]]);
    const several: Submitted[] = [];
    for (let each = 0; each < 10; each++) {
      const body = each % 3 === 0 ? 'You stupid buyer of {{order}}.' : 'It is {{order}} for you.';
      several.push(await submitted(scene(), { body }));
    }
    await submitWaiting(deps, { approvers });
    await eventually(async () => {
      await work();
      await scene().poll(approvers);
      const theirs = await control('templates');
      expect(theirs).toHaveLength(several.length);
      expect(theirs.some(({ pauses }) => (pauses as number) > 0)).toBe(true);
      for (const given of several) {
        const { status } = theirs.find(({ name }) => (name as string).startsWith(given.name))!;
        expect(['APPROVED', 'REJECTED']).toContain(status);
        expect(await versionOf(given)).toMatchObject({
          state: status === 'APPROVED' ? 'Active' : 'Rejected',
          upstream_health: 'OK',
        });
      }
    });
    const causes = await query(
      `SELECT version_id, string_agg(cause, ' ' ORDER BY created_at, id) AS causes
       FROM template_transitions WHERE version_id IN (SELECT jsonb_array_elements_text($1)::uuid)
       GROUP BY version_id`,
      [JSON.stringify(several.map(({ versionId }) => versionId))],
    );
    expect(causes).toHaveLength(several.length);
    for (const { causes: all } of causes) expect(['approve activate', 'reject']).toContain(all);
  } finally {
    await own.stop();
  }
});
