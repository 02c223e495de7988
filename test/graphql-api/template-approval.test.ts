// Submissions to the channels' approvers and what comes back, against the approver to develop against.

import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { raiseAlerts } from '../../graphql-api/actions/template-approval/raise-alerts.ts';
import { signApprovalBody } from '../../graphql-api/approval/signature.ts';
import { upstreamName } from '../../graphql-api/approval/upstream-name.ts';
import type { AppDeps } from '../../graphql-api/context.ts';
import { MESSAGING_APP_WEBHOOK_PATH } from '../../schema/values/approval-webhook-paths.ts';
import { eventually } from '../harness/eventually.ts';
import {
  APP_SECRET,
  type ApprovalScene,
  type Row,
  resubmit,
  type Submitted,
  submitted,
  useApprovalScene,
  VERIFY_TOKEN,
} from './approval-scene.ts';
import { tokenFor } from './harness/tokens.ts';

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

/** What the approver says by webhook has come, and was worked off. */
async function arrived(given: Submitted, count: number): Promise<void> {
  await eventually(async () => {
    await scene().work();
    expect(await eventsOf(given)).toHaveLength(count);
  });
}

async function post(body: string, signature: string | undefined): Promise<Response> {
  return fetch(`${scene().url}${MESSAGING_APP_WEBHOOK_PATH}`, {
    method: 'POST',
    headers: { ...(signature !== undefined && { 'x-hub-signature-256': signature }) },
    body,
  });
}

/** Of the platform, as it writes it. */
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

test('each submission has a name of its own, which says what it is of', () => {
  const submissionId = '0190aaaa-0000-7000-8000-3f9a2c1b77d0';
  expect(upstreamName({ templateName: 'Order: Update!', number: 4, submissionId })).toBe(
    'order_update_v4_3f9a2c1b77d0',
  );
  expect(upstreamName({ templateName: 'आदेश', number: 1, submissionId })).toBe(
    'template_v1_3f9a2c1b77d0',
  );
});

test('the handshake answers the challenge to whoever knows the token', async () => {
  const ask = (token: string) =>
    fetch(
      `${scene().url}${MESSAGING_APP_WEBHOOK_PATH}?hub.mode=subscribe&hub.challenge=1234&hub.verify_token=${encodeURIComponent(token)}`,
    );
  const known = await ask(VERIFY_TOKEN);
  expect([known.status, await known.text()]).toEqual([200, '1234']);
  expect((await ask('another')).status).toBe(403);
});

test('only what is signed as it came is kept', async () => {
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

test('a verdict counts once, and a repeated delivery is no event', async () => {
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

test('the text decides what the approver says, and the reason is kept', async () => {
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

test('the verdict of a submission that was taken back is recorded and ignored, and it is withdrawn', async () => {
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

test('a verdict that no webhook told is found by the poll, on a later page', async () => {
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

test('sync now finds it, says when it asked, and is not for every second', async () => {
  const given = await submitted(scene(), { channel: 'sms' });
  await scene().submit();
  await scene().control('decide', { name: given.name, isSilent: true });
  const token = await tokenFor(given.tenant.organizationId, { roles: ['member'] });
  const sync = async () => {
    const response = await fetch(`${scene().url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        query: `mutation { templateApprovalSync { changed faults userErrors { code }
          templateApprovals { channel isConfigured lastSyncAttemptAt lastSyncAt } } }`,
      }),
    });
    const { data } = (await response.json()) as { data: { templateApprovalSync: Row } };
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
  expect(await sync()).toMatchObject({ userErrors: [{ code: 'TEMPLATE_SYNC_TOO_SOON' }] });
});

test('a death between the call and its record, or a lost answer, is one template upstream', async () => {
  const { deps, submit, control } = scene();
  const died = await submitted(scene());
  await expect(submit(dyingAfterTheCall(deps))).rejects.toThrow('died');
  expect(await upstreamOf(died)).toHaveLength(1);
  const lost = await submitted(scene());
  await control('faults', { on: 'POST /v23.0', kind: 'DROP_AFTER' });
  await submit();
  expect(await upstreamOf(lost)).toHaveLength(1);
  deps.clock.setMs(Date.now() + 2 * HOUR_MS);
  try {
    await submit();
  } finally {
    deps.clock.setMs(Date.now());
  }
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

test('pauses and the rest are its health and leave its state, also when told in reverse', async () => {
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

test('a pause that is heard of before the approval holds once it comes', async () => {
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

test('who waits for too long is told of once per step, until the verdict', async () => {
  const given = await submitted(scene());
  await scene().submit();
  const { deps, sql: query } = scene();
  const now = Date.now();
  const alerts = () =>
    query('SELECT step, cleared_by FROM template_alerts WHERE version_id = $1 ORDER BY step', [
      given.versionId,
    ]);
  const after = async (hours: number) => {
    deps.clock.setMs(now + hours * HOUR_MS);
    await raiseAlerts(deps);
    deps.clock.setMs(now);
  };
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

/** Its process dies as soon as the approver has answered. */
function dyingAfterTheCall(deps: ApprovalScene['deps']): AppDeps {
  let transactions = 0;
  // Planned, claimed, read: then comes the call, and nothing more.
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
