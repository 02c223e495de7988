// Submissions to the channels' approvers and their responses, with the development approver.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { startApprover } from '../../../../embedded/approver/server.ts';
import type { AppDeps } from '../../../../graphql-api/platform/context.ts';
import { encodeNodeId } from '../../../../graphql-api/platform/graph/node-id.ts';
import type { Role } from '../../../../graphql-api/platform/viewer.ts';
import type { Approver } from '../../../../graphql-api/templates/approval/approver.ts';
import { approversOf } from '../../../../graphql-api/templates/approval/approvers.ts';
import { messagingAppApprover } from '../../../../graphql-api/templates/approval/messaging-app.ts';
import { processApprovalEvents } from '../../../../graphql-api/templates/approval/process-approval-events.ts';
import { raiseAlerts } from '../../../../graphql-api/templates/approval/raise-alerts.ts';
import { readSmsWebhook } from '../../../../graphql-api/templates/approval/read-webhook.ts';
import { signApprovalBody } from '../../../../graphql-api/templates/approval/signature.ts';
import { smsApprover } from '../../../../graphql-api/templates/approval/sms.ts';
import { submitWaiting } from '../../../../graphql-api/templates/approval/submit-waiting.ts';
import { upstreamName } from '../../../../graphql-api/templates/approval/upstream-name.ts';
import {
  MESSAGING_APP_WEBHOOK_PATH,
  SMS_WEBHOOK_PATH,
} from '../../../../graphql-api/templates/approval/webhook-paths.ts';
import { TemplateVersion } from '../../../../graphql-api/templates/version.entity.ts';
import { contentOf } from '../../../../graphql-api/templates/version-content.ts';
import { eventually } from '../../../harness/eventually.ts';
import { tokenFor } from '../../harness/tokens.ts';
import {
  APP_SECRET,
  type ApprovalScene,
  type Row,
  resubmit,
  SMS_SECRET,
  type Submitted,
  submitted,
  useApprovalScene,
  VERIFY_TOKEN,
} from './approval-scene.ts';

const scene = useApprovalScene();
const HOUR_MS = 3_600_000;

async function versionOf({ versionId }: Submitted): Promise<Row> {
  const [row] = await scene().sql('SELECT * FROM template_versions WHERE id = $1', [versionId]);
  return row!;
}

async function eventsOf({ versionId }: Submitted): Promise<(string | null)[]> {
  const rows = await scene().sql(
    'SELECT word, state, why FROM approval_events WHERE version_id = $1 ORDER BY created_at, id',
    [versionId],
  );
  return rows.map(
    ({ word, state, why }) => `${word as string} ${state as string} ${why as string}`,
  );
}

async function upstreamOf({ name }: Submitted): Promise<Row[]> {
  const all = (await scene().control('templates')) as Row[];
  return all.filter(template => (template.name as string).startsWith(name));
}

/** Waits until the approver's webhook events have arrived and are processed. */
async function arrived(given: Submitted, count: number): Promise<void> {
  await eventually(async () => {
    await scene().work();
    expect(await eventsOf(given)).toHaveLength(count);
  });
}

async function postSms(body: string, signature: string | undefined): Promise<number> {
  const response = await fetch(`${scene().url}${SMS_WEBHOOK_PATH}`, {
    method: 'POST',
    headers: { ...(signature !== undefined && { 'x-registrar-signature-256': signature }) },
    body,
  });
  return response.status;
}

async function graphql(given: Submitted, role: Role, query: string): Promise<Row> {
  const token = await tokenFor(given.tenant.organizationId, { roles: [role] });
  const response = await fetch(`${scene().url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as { data: Row };
  return data;
}

async function at(ms: number, work: () => Promise<unknown>): Promise<void> {
  const { clock } = scene().deps;
  clock.setMs(ms);
  try {
    await work();
  } finally {
    clock.setMs(undefined);
  }
}

async function approved(): Promise<Submitted> {
  const given = await submitted(scene());
  await scene().submit();
  await scene().control('decide', { name: given.name });
  await arrived(given, 1);
  return given;
}

async function post(body: string, signature: string | undefined): Promise<Response> {
  return fetch(`${scene().url}${MESSAGING_APP_WEBHOOK_PATH}`, {
    method: 'POST',
    headers: { ...(signature !== undefined && { 'x-hub-signature-256': signature }) },
    body,
  });
}

/** A status event in the format of the messaging-app platform. */
async function statusEvent(given: Submitted, event: string, time: number): Promise<string> {
  const [row] = await scene().sql(
    'SELECT upstream_id, upstream_name FROM template_submissions WHERE version_id = $1 ORDER BY submitted_at LIMIT 1',
    [given.versionId],
  );
  const value = {
    event,
    message_template_id: 0,
    message_template_name: row!.upstream_name,
    message_template_language: 'en',
    reason: 'NONE',
  };
  const change = { field: 'message_template_status_update', value };
  const body = JSON.stringify({ entry: [{ id: 'account-1', time, changes: [change] }] });
  return body.replace(
    '"message_template_id":0',
    `"message_template_id":${row!.upstream_id as string}`,
  );
}

test('each submission has a unique name, which identifies its version', () => {
  const submissionId = '0190aaaa-0000-7000-8000-3f9a2c1b77d0';
  expect(upstreamName({ templateName: 'Order: Update!', number: 4, submissionId })).toBe(
    'order_update_v4_3f9a2c1b77d0',
  );
  expect(upstreamName({ templateName: 'आदेश', number: 1, submissionId })).toBe(
    'template_v1_3f9a2c1b77d0',
  );
});

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

test('a crash between the call and its record, or a lost response, creates one template upstream', async () => {
  const { deps, submit, control } = scene();
  await submit();
  const died = await submitted(scene());
  await expect(submit(dyingAfterTheCall(deps))).rejects.toThrow('died');
  expect(await upstreamOf(died)).toHaveLength(1);
  const lost = await submitted(scene());
  await control('faults', { on: 'POST /v23.0', kind: 'DROP_AFTER' });
  await submit();
  expect(await upstreamOf(lost)).toHaveLength(1);
  await at(Date.now() + 2 * HOUR_MS, submit);
  for (const given of [died, lost]) {
    const [upstream, ...more] = await upstreamOf(given);
    expect(more).toEqual([]);
    const rows = await scene().sql(
      `SELECT s.upstream_id, a.state FROM template_submissions s
       JOIN approval_sendings a ON a.submission_id = s.id WHERE s.id = $1`,
      [given.submissionId],
    );
    expect(rows).toEqual([{ upstream_id: upstream!.id, state: 'SENT' }]);
  }
  const posts = ((await control('requests')) as Row[]).filter(
    ({ call, body }) =>
      (call as string).startsWith('POST') &&
      [died, lost].some(({ name }) => (body as string).includes(name)),
  );
  expect(posts).toHaveLength(2);
});

test('pauses and similar events change the health but not the state, even in reverse order', async () => {
  const given = await submitted(scene());
  const { control } = scene();
  await scene().submit();
  const atMs = Date.now();
  const say = (event: string, after: number) =>
    control('say', { name: given.name, event, atMs: atMs + after * 1_000 });
  await control('decide', { name: given.name, atMs });
  await arrived(given, 1);
  await say('PAUSED', 10);
  await arrived(given, 2);
  expect(await versionOf(given)).toMatchObject({
    state: 'Active',
    upstream_health: 'PAUSED',
    health_until: new Date(Math.floor((atMs + 10_000) / 1000) * 1000 + 3 * HOUR_MS),
  });
  await control('manner', { isHeld: true });
  await control('say', {
    name: given.name,
    event: 'APPROVED',
    title: 'UNPAUSE',
    atMs: atMs + 20_000,
  });
  await say('PAUSED', 30);
  await control('release', { isReversed: true });
  await control('manner', { isHeld: false });
  await arrived(given, 4);
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'PAUSED' });
  expect((await eventsOf(given)).at(-1)).toBe('APPROVED IGNORED OLDER');
  await say('REINSTATED', 40);
  await arrived(given, 5);
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'OK' });
  await say('DISABLED', 50);
  await arrived(given, 6);
  await say('FLAGGED', 45);
  await arrived(given, 7);
  await say('SOMETHING_NEW', 60);
  await arrived(given, 8);
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'DISABLED' });
  expect((await eventsOf(given)).at(-1)).toBe('SOMETHING_NEW IGNORED UNKNOWN_WORD');
});

test('a pause reported before the approval applies with it', async () => {
  const given = await submitted(scene());
  const { control } = scene();
  await scene().submit();
  await control('manner', { isHeld: true });
  const atMs = Date.now();
  await control('decide', { name: given.name, atMs });
  await control('say', { name: given.name, event: 'PAUSED', atMs: atMs + 5_000 });
  await control('release', { isReversed: true });
  await control('manner', { isHeld: false });
  await arrived(given, 2);
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'PAUSED' });
});

test('a version that waits too long raises one alert per step, until the verdict', async () => {
  const given = await submitted(scene());
  await scene().submit();
  const { deps, sql: query } = scene();
  const now = Date.now();
  const alerts = () =>
    query('SELECT step, cleared_by FROM template_alerts WHERE version_id = $1 ORDER BY step', [
      given.versionId,
    ]);
  const after = (hours: number) => at(now + hours * HOUR_MS, () => raiseAlerts(deps));
  await after(23);
  expect(await alerts()).toEqual([]);
  await after(25);
  await after(26);
  expect(await alerts()).toEqual([{ step: 1, cleared_by: null }]);
  await after(49);
  await scene().control('decide', { name: given.name });
  await arrived(given, 1);
  expect(await alerts()).toEqual([
    { step: 1, cleared_by: 'APPROVED' },
    { step: 2, cleared_by: 'APPROVED' },
  ]);
  await after(200);
  expect(await alerts()).toHaveLength(2);
  const told = await query(
    `SELECT type FROM outbound_events WHERE workspace_id = $1 ORDER BY created_at`,
    [given.tenant.workspaceId],
  );
  expect(told.map(({ type }) => type)).toEqual([
    'template.approval_overdue',
    'template.approval_overdue',
    'template.approved',
  ]);
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

test('a version that is locked, archived or deleted upstream is not sent until it is restored', async () => {
  const given = await approved();
  const atMs = Date.now();
  const words = [
    ['LOCKED', 'PAUSED'],
    ['REINSTATED', 'OK'],
    ['ARCHIVED', 'DISABLED'],
    ['UNARCHIVED', 'OK'],
    ['PENDING_DELETION', 'DISABLED'],
    ['APPROVED', 'OK'],
    ['DELETED', 'DISABLED'],
  ] as const;
  for (const [index, [event, health]] of words.entries()) {
    await scene().control('say', { name: given.name, event, atMs: atMs + (index + 1) * 1_000 });
    await arrived(given, index + 2);
    const { state, upstream_health } = await versionOf(given);
    expect([event, state, upstream_health]).toEqual([event, 'Active', health]);
  }
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

test('a version missing from the list for long is not sent until it is listed again', async () => {
  const given = await approved();
  const approver = approversOf(scene().deps).get('messaging_app')!;
  const [upstream] = await upstreamOf(given);
  await approver.withdraw(upstream!.name as string, null);
  const now = Date.now();
  // Missing from the list once is not enough: a deletion between two pages can hide another
  // template.
  await at(now + 60_000, () => scene().poll());
  expect(await versionOf(given)).toMatchObject({ upstream_health: 'OK' });
  await at(now + 2 * HOUR_MS, () => scene().poll());
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'DISABLED' });
  await approver.submit({
    ...contentOf(
      await scene().deps.database.asSystem(em =>
        em.findOneOrFail(TemplateVersion, { id: given.versionId }),
      ),
    ),
    name: upstream!.name as string,
    submissionId: given.submissionId,
    language: 'en',
  });
  await scene().control('decide', { name: given.name, isSilent: true });
  await at(now + 3 * HOUR_MS, () => scene().poll());
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'OK' });
  expect(await eventsOf(given)).toEqual([
    'APPROVED PROCESSED APPROVED',
    'MISSING PROCESSED HEALTH_DISABLED',
    'APPROVED PROCESSED HEALTH_OK',
  ]);
});

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

test('the poll finds the unreported end of a pause, and a pause that exceeds its duration', async () => {
  const { control, poll } = scene();
  const now = Date.now();
  const [back, given] = [await approved(), await approved()];
  await poll();
  for (const paused of [back, given]) {
    await control('say', { name: paused.name, event: 'PAUSED' });
    await arrived(paused, 2);
  }
  // The list returns the same status as before the pause.
  await control('say', { name: back.name, event: 'APPROVED', isSilent: true });
  await at(now + 60_000, poll);
  expect(await versionOf(back)).toMatchObject({ state: 'Active', upstream_health: 'OK' });
  expect(await versionOf(given)).toMatchObject({ health_until: expect.any(Date) });
  await at(now + 4 * HOUR_MS, poll);
  expect(await versionOf(given)).toMatchObject({ upstream_health: 'PAUSED', health_until: null });
  await control('say', { name: given.name, event: 'APPROVED', isSilent: true });
  await at(now + 5 * HOUR_MS, poll);
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'OK' });
  await control('decide', { name: given.name, status: 'REJECTED', isSilent: true });
  await at(now + 6 * HOUR_MS, poll);
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'DISABLED' });
});

test('an unstorable value of one submission never blocks others', async () => {
  const { control, poll, submit, sql: query } = scene();
  const broken = await submitted(scene());
  const fine = await submitted(scene());
  await query(`CREATE FUNCTION break_it() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'broken'; END $$`);
  const breakIt = (table: string, id: string) =>
    query(`CREATE TRIGGER breaks BEFORE UPDATE ON ${table}
      FOR EACH ROW WHEN (NEW.id = '${id}') EXECUTE FUNCTION break_it()`);
  const mend = (table: string) => query(`DROP TRIGGER breaks ON ${table}`);
  await breakIt('template_submissions', broken.submissionId);
  await submit();
  expect(await upstreamOf(fine)).toHaveLength(1);
  await mend('template_submissions');
  await at(Date.now() + HOUR_MS, submit);
  expect(await upstreamOf(broken)).toHaveLength(1);

  await breakIt('template_versions', broken.versionId);
  await control('decide', { name: broken.name });
  await control('decide', { name: fine.name, isSilent: true });
  await poll();
  expect((await versionOf(fine)).state).toBe('Active');
  const last = await submitted(scene());
  await submit();
  await control('decide', { name: last.name });
  await eventually(async () => {
    await processApprovalEvents(scene().deps);
    expect((await versionOf(last)).state).toBe('Active');
    const [event] = await query(
      `SELECT attempts, state FROM approval_events WHERE upstream_name LIKE $1 || '%'`,
      [broken.name.slice(0, 60)],
    );
    expect(event).toMatchObject({ attempts: expect.any(Number), state: 'RECEIVED' });
    expect(event!.attempts).toBeGreaterThan(0);
  });
  await mend('template_versions');
  await poll();
  expect((await versionOf(broken)).state).toBe('Active');
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

test('a name that is in use but not found yet does not reject the text', async () => {
  const given = await submitted(scene());
  await scene().control('faults', { on: 'POST /v23.0', kind: 'DROP_AFTER' });
  await scene().submit();
  const approver = approversOf(scene().deps).get('messaging_app')!;
  const late: Approver = { ...approver, find: async () => ({ isOk: true, value: undefined }) };
  const approvers = new Map([[late.channel, late]]);
  await at(Date.now() + HOUR_MS, () => submitWaiting(scene().deps, { approvers }));
  expect((await versionOf(given)).state).toBe('Submitted');
  await at(Date.now() + 3 * HOUR_MS, () => scene().submit());
  const [sending] = await scene().sql(
    'SELECT state FROM approval_sendings WHERE submission_id = $1',
    [given.submissionId],
  );
  expect(sending).toEqual({ state: 'SENT' });
  expect(await upstreamOf(given)).toHaveLength(1);
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

test('with several concurrent processes, one submits and one applies the verdict', async () => {
  const { control, submit, sql: query, deps, poll } = scene();
  const several: Submitted[] = [];
  for (let each = 0; each < 4; each++) several.push(await submitted(scene()));
  await Promise.all([submit(), submit(), submit()]);
  await control('manner', { copies: 2 });
  for (const { name } of several) await control('decide', { name });
  await control('manner', { copies: 1 });
  const ids = JSON.stringify(several.map(({ name }) => name));
  await eventually(async () => {
    const waiting = await query(
      `SELECT 1 FROM approval_events WHERE state = 'RECEIVED' AND EXISTS (SELECT
       FROM jsonb_array_elements_text($1) AS name WHERE starts_with(upstream_name, left(name, 60)))`,
      [ids],
    );
    expect(waiting).toHaveLength(several.length);
  });
  const working = () => processApprovalEvents(deps);
  await Promise.all([working(), working(), working(), working()]);
  for (const given of several)
    expect(await eventsOf(given)).toEqual(['APPROVED PROCESSED APPROVED']);
  const silent = [await submitted(scene()), await submitted(scene())];
  await submit();
  for (const { name } of silent) await control('decide', { name, isSilent: true });
  await Promise.all([poll(), poll(), poll()]);
  several.push(...silent);
  const posts = ((await control('requests')) as Row[]).filter(({ call }) =>
    (call as string).startsWith('POST'),
  );
  for (const given of several) {
    expect(posts.filter(({ body }) => (body as string).includes(given.name))).toHaveLength(1);
    const verdicts = await query('SELECT outcome FROM template_verdicts WHERE submission_id = $1', [
      given.submissionId,
    ]);
    expect(verdicts).toEqual([{ outcome: 'APPLIED' }]);
    const told = await query('SELECT type FROM outbound_events WHERE workspace_id = $1', [
      given.tenant.workspaceId,
    ]);
    expect(told).toEqual([{ type: 'template.approved' }]);
  }
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

/** Dependencies of a process that dies as soon as the approver has responded. */
function dyingAfterTheCall(deps: ApprovalScene['deps']): AppDeps {
  let transactions = 0;
  // Plan, claim and read; the call to the approver follows.
  const UNTIL_THE_CALL = 3;
  const { database } = deps;
  return {
    ...deps,
    database: {
      ...database,
      asSystem: work => {
        transactions++;
        if (transactions > UNTIL_THE_CALL) return Promise.reject(new Error('died'));
        return database.asSystem(work);
      },
    },
  };
}
