// The webhooks of the approvers: the handshake, the signatures, and what is stored of an event.

import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { readSmsWebhook } from '../../../../graphql-api/templates/approval/read-webhook.ts';
import { signApprovalBody } from '../../../../graphql-api/templates/approval/signature.ts';
import { MESSAGING_APP_WEBHOOK_PATH } from '../../../../graphql-api/templates/approval/webhook-paths.ts';
import {
  APP_SECRET,
  SMS_SECRET,
  submitted,
  useApprovalScene,
  VERIFY_TOKEN,
} from './approval-scene.ts';
import { approvalSteps } from './approval-steps.ts';

const scene = useApprovalScene();
const { approved, arrived, eventsOf, post, postSms, statusEvent, upstreamOf, versionOf } =
  approvalSteps(scene);

test('the handshake returns the challenge if the token is right', async () => {
  const ask = (token: string) =>
    fetch(
      `${scene().url}${MESSAGING_APP_WEBHOOK_PATH}?hub.mode=subscribe&hub.challenge=1234&hub.verify_token=${encodeURIComponent(token)}`,
    );
  const known = await ask(VERIFY_TOKEN);
  expect([known.status, await known.text()]).toEqual([200, '1234']);
  expect((await ask('another')).status).toBe(403);
});

test('only events with a valid signature are stored', async () => {
  const given = await submitted(scene());
  await scene().submit();
  const body = await statusEvent(given, 'APPROVED', 1_800_000_000);
  expect((await post(body, undefined)).status).toBe(401);
  expect((await post(body, signApprovalBody('another secret', Buffer.from(body)))).status).toBe(
    401,
  );
  const signature = signApprovalBody(APP_SECRET, Buffer.from(body));
  const anew = body.replaceAll('":', '": ');
  expect((await post(anew, signature)).status).toBe(401);
  await scene().work();
  expect((await versionOf(given)).state).toBe('Submitted');
  expect((await post(body, signature)).status).toBe(200);
  await scene().work();
  expect(await versionOf(given)).toMatchObject({ state: 'Active' });
});

test('the registrar’s webhook is verified over the raw bytes, and each event counts once', async () => {
  const given = await submitted(scene(), { channel: 'sms' });
  await scene().submit();
  const [upstream] = await upstreamOf(given);
  const body = JSON.stringify({
    event_id: `event of ${given.name}`,
    reference: upstream!.name,
    template_id: upstream!.id,
    status: 'REJECTED',
    reason: 'The sender is not registered.',
    occurred_at: new Date().toISOString(),
  });
  const sign = (secret: string) => signApprovalBody(secret, Buffer.from(body));
  expect(await postSms(body, undefined)).toBe(401);
  expect(await postSms(body, sign(APP_SECRET))).toBe(401);
  expect(await postSms(`${body} `, sign(SMS_SECRET))).toBe(401);
  expect(await postSms(body, sign(SMS_SECRET))).toBe(200);
  expect(await postSms(body, sign(SMS_SECRET))).toBe(200);
  await scene().work();
  expect(await eventsOf(given)).toEqual(['REJECTED PROCESSED REJECTED']);
  expect(await versionOf(given)).toMatchObject({
    state: 'Rejected',
    rejection_reason: 'The sender is not registered.',
  });
});

test('a delivery of many events is accepted completely, and stored only once', async () => {
  const name = `unknown ${uuidv7()}`;
  const change = (time: number) => ({
    id: 'account-1',
    time,
    changes: [
      {
        field: 'message_template_status_update',
        value: { event: 'APPROVED', message_template_name: name, reason: 'x'.repeat(100) },
      },
    ],
  });
  const entry = Array.from({ length: 500 }, (_, index) => change(1_700_000_000 + index));
  const body = JSON.stringify({ entry });
  expect((await post(body, signApprovalBody(APP_SECRET, Buffer.from(body)))).status).toBe(200);
  const [kept] = await scene().sql(
    `SELECT count(*)::int AS events, sum(length(body))::int AS bytes FROM approval_events
     WHERE upstream_name = $1`,
    [name],
  );
  expect(kept).toEqual({ events: 500, bytes: Buffer.byteLength(body) });
  await scene().sql(
    `UPDATE approval_events SET state = 'IGNORED', next_attempt_at = NULL WHERE upstream_name = $1`,
    [name],
  );
});

test('a reason is stored without characters that the database cannot hold', async () => {
  const [told, listed] = [await submitted(scene()), await submitted(scene())];
  await scene().submit();
  const reason = 'half \\ud83d of \\u0000it';
  const body = (await statusEvent(told, 'REJECTED', 1_800_000_000)).replace('NONE', reason);
  expect((await post(body, signApprovalBody(APP_SECRET, Buffer.from(body)))).status).toBe(200);
  await scene().control('decide', {
    name: listed.name,
    status: 'REJECTED',
    reason: JSON.parse(`"${reason}"`),
    isSilent: true,
  });
  await scene().work();
  await scene().poll();
  for (const given of [told, listed])
    expect(await versionOf(given)).toMatchObject({
      state: 'Rejected',
      rejection_reason: 'half \ufffd of it',
    });
});

test('an impossible time counts as now, so it does not block later events', async () => {
  const given = await approved();
  const [far, near] = [
    await statusEvent(given, 'PAUSED', 99_999_999_999),
    await statusEvent(given, 'REINSTATED', Math.ceil(Date.now() / 1_000) + 5),
  ];
  for (const [index, body] of [far, near].entries()) {
    expect((await post(body, signApprovalBody(APP_SECRET, Buffer.from(body)))).status).toBe(200);
    await arrived(given, index + 2);
  }
  expect(await versionOf(given)).toMatchObject({ upstream_health: 'OK' });
  const [event] = readSmsWebhook(
    Buffer.from(
      '{"reference": "a", "status": "APPROVED", "occurred_at": "+200000-01-01T00:00:00Z"}',
    ),
    1_000,
  )!;
  expect(event!.occurredAt.getTime()).toBe(1_000);
});
