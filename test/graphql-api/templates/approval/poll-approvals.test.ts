// The poll of the approvers' lists, and the manual sync.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { messagingAppApprover } from '../../../../graphql-api/templates/approval/messaging-app.ts';
import { smsApprover } from '../../../../graphql-api/templates/approval/sms.ts';
import { type Row, submitted, useApprovalScene } from './approval-scene.ts';
import { approvalSteps } from './approval-steps.ts';

const scene = useApprovalScene();
const { approved, eventsOf, graphql, upstreamOf, versionOf } = approvalSteps(scene);

test('a response that is not a list marks no version as missing', async () => {
  const given = await approved();
  const server = createServer((_request, response) => response.end('{"success": true}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { messagingApp, smsRegistrar } = scene().deps.config.approval;
  const baseUrl = `http://127.0.0.1:${port}`;
  const odd = [
    messagingAppApprover({ ...messagingApp!, baseUrl }),
    smsApprover({ ...smsRegistrar!, baseUrl }),
  ];
  try {
    for (const approver of odd) {
      const polled = await scene().poll(new Map([[approver.channel, approver]]));
      expect(polled.faults).toEqual([expect.stringContaining('no_list')]);
      expect(await approver.find('anything')).toMatchObject({ fault: { kind: 'UNKNOWN' } });
    }
  } finally {
    server.close();
  }
  const [sending] = await scene().sql(
    'SELECT upstream_status FROM approval_sendings WHERE submission_id = $1',
    [given.submissionId],
  );
  expect(sending!.upstream_status).not.toBe('MISSING');
});

test('one of many concurrent syncs runs', async () => {
  const given = await submitted(scene());
  const sync = async () => {
    const data = await graphql(
      given,
      'member',
      'mutation { templateApprovalSync { userErrors { code } } }',
    );
    return (data.templateApprovalSync as { userErrors: unknown[] }).userErrors.length;
  };
  const refusals = await Promise.all([sync(), sync(), sync(), sync()]);
  expect(refusals.toSorted((one, another) => one - another)).toEqual([0, 1, 1, 1]);
});

test('a verdict without a webhook is found by the poll, on a later page', async () => {
  const several = [];
  for (let each = 0; each < 3; each++) several.push(await submitted(scene()));
  await scene().submit();
  for (const { name } of several) await scene().control('decide', { name, isSilent: true });
  const polled = await scene().poll();
  expect(polled.faults).toEqual([]);
  for (const given of several) {
    expect(await eventsOf(given)).toEqual(['APPROVED PROCESSED APPROVED']);
    expect((await versionOf(given)).state).toBe('Active');
  }
  const pages = (await scene().control('requests')) as Row[];
  expect(
    pages.filter(({ call }) => (call as string).startsWith('GET /v23.0')).length,
  ).toBeGreaterThan(2);
});

test('a manual sync finds it, returns its time, and is rate limited', async () => {
  const given = await submitted(scene(), { channel: 'sms' });
  await scene().submit();
  await scene().control('decide', { name: given.name, isSilent: true });
  const other = await submitted(scene(), { channel: 'sms' });
  await scene().sql(
    `INSERT INTO approval_sendings (submission_id, workspace_id, channel, next_attempt_at)
     VALUES ($1, $2, 'sms', now() - interval '1 minute')`,
    [other.submissionId, other.tenant.workspaceId],
  );
  const sync = async () => {
    const data = await graphql(
      given,
      'member',
      `mutation { templateApprovalSync { changed faults userErrors { code }
         templateApprovals { channel isConfigured lastSyncAttemptAt lastSyncAt } } }`,
    );
    return data.templateApprovalSync;
  };
  expect(await sync()).toMatchObject({
    changed: 1,
    faults: [],
    userErrors: [],
    templateApprovals: [
      { channel: 'MESSAGING_APP', lastSyncAttemptAt: expect.any(String) },
      { channel: 'SMS', isConfigured: true, lastSyncAt: expect.any(String) },
      { channel: 'EMAIL', isConfigured: true, lastSyncAttemptAt: null },
    ],
  });
  expect((await versionOf(given)).state).toBe('Active');
  // The sync does not submit versions of other tenants.
  expect(await upstreamOf(other)).toEqual([]);
  await scene().submit();
  expect(await upstreamOf(other)).toHaveLength(1);
  expect(await sync()).toMatchObject({ userErrors: [{ code: 'TEMPLATE_SYNC_TOO_SOON' }] });
});
