// A person, and the rows that they leave in every part of the service.

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { eventOf, newMessageId } from '../../harness/batch.ts';
import { expectAccepted, postEvents } from '../../harness/batch-client.ts';
import { newIosToken } from '../../harness/device.ts';
import { eventually } from '../../harness/eventually.ts';
import { expectSuccess, IN_APP_EVENTS, IN_APP_RESPONSES, postJson } from '../../harness/in-app.ts';
import { postPush } from '../../harness/push.ts';
import { mutate } from '../harness/mutate.ts';
import type { PrivacyScene } from './privacy-scene.ts';

export type Person = {
  readonly userId: string;
  readonly anonymousId: string;
  readonly marker: string;
  readonly token: string;
  contactId: string;
};

export function newPerson(name: string): Person {
  const token = newIosToken();
  const [userId, anonymousId, marker] = ['user', 'device', 'marker'].map(
    kind => `${name}-${kind}-${randomUUID()}`,
  ) as [string, string, string];
  return { userId, anonymousId, marker, token, contactId: '' };
}

/** Sends and inserts rows of the person into every part of the service. */
export async function liveIn(scene: PrivacyScene, person: Person): Promise<void> {
  const { ingest, tenant, query } = scene;
  const { userId, anonymousId, marker, token } = person;
  expectAccepted(await postEvents(ingest, tenant.writeKey, eventsOf(person)), 3);
  const bad = eventOf(newMessageId(), {
    userId: text(userId),
    timestamp: '"soon"',
    properties: text({ note: marker }),
  });
  expect((await postEvents(ingest, tenant.writeKey, [bad])).status).toBe(400);
  await eventually(async () => {
    const [contact] = await query('SELECT id FROM contacts WHERE user_id = $1', [userId]);
    person.contactId = contact!.id as string;
  });
  const { contactId } = person;
  expectSuccess(
    await postJson(ingest, tenant, '/v1/devices/register', {
      device_token: token,
      platform: 'ios',
      contact_id: contactId,
      anonymous_id: anonymousId,
    }),
  );
  expectSuccess(
    await postJson(ingest, tenant, IN_APP_EVENTS, {
      campaign_id: 'campaign-1',
      event_type: 'impression',
      user_id: userId,
      anonymous_id: anonymousId,
    }),
  );
  expectSuccess(
    await postJson(ingest, tenant, IN_APP_RESPONSES, {
      campaign_id: 'campaign-1',
      response_type: 'nps',
      platform: 'web',
      user_id: userId,
      payload: { score: 9, comment: marker },
    }),
  );
  for (const report of [
    { user_id: userId, contact_id: contactId, anonymous_id: anonymousId },
    { anonymous_id: anonymousId },
  ]) {
    const push = { event_type: 'push.clicked', message_id: `message-of-${userId}`, ...report };
    expectSuccess(await postPush(ingest, tenant, { ...push, metadata: { note: marker } }));
  }
  await mutate(
    { api: scene.api, tenant },
    'consentBulkSet',
    { input: { consents: [{ userId, purpose: 'marketing', status: 'GRANTED', source: marker }] } },
    '__typename',
  );
  await onJourney(scene, person);
  await cameLate(scene, person);
}

/** Inserted directly, because ingest moves late events there only after a minute. */
async function cameLate(
  scene: PrivacyScene,
  { userId, anonymousId, marker }: Person,
): Promise<void> {
  await scene.command(
    `INSERT INTO events_late (workspace_id, user_id, anonymous_id, message_id, timestamp, properties)
     SELECT toUUID('${scene.tenant.workspaceId}'), '${userId}', '${anonymousId}', 'late-${userId}',
            toDateTime64('2026-01-01 00:00:00', 3, 'UTC'), '{"note":"${marker}"}'`,
  );
}

/** Inserted directly, because the work of journeys is not under test. */
async function onJourney(
  { query, tenant }: PrivacyScene,
  { contactId, userId }: Person,
): Promise<void> {
  const [journeyId, definitionId, snapshotId, enrolmentId, widgetId] = Array.from(
    { length: 5 },
    () => randomUUID(),
  );
  const nodes = JSON.stringify([{ id: 'end', kind: 'end' }]);
  const { workspaceId } = tenant;
  await query(
    `INSERT INTO journeys (id, workspace_id, name, status, created_by) VALUES ($1, $2, 'Welcome', 'PAUSED', 'user-1')`,
    [journeyId, workspaceId],
  );
  await query(
    `INSERT INTO journey_definitions (id, journey_id, workspace_id, number, nodes, created_by)
     VALUES ($1, $2, $3, 1, $4, 'user-1')`,
    [definitionId, journeyId, workspaceId, nodes],
  );
  await query(
    `INSERT INTO journey_snapshots (id, journey_id, workspace_id, definition_id, hash)
     VALUES ($1::uuid, $2, $3, $4, encode(sha256($1::text::bytea), 'hex'))`,
    [snapshotId, journeyId, workspaceId, definitionId],
  );
  await query(
    `INSERT INTO enrolments (id, workspace_id, journey_id, snapshot_id, contact_id, state, node_id)
     VALUES ($1, $2, $3, $4, $5, 'WAITING', 'end')`,
    [enrolmentId, workspaceId, journeyId, snapshotId, contactId],
  );
  await query(
    `WITH widget AS (
       INSERT INTO widget_step_executions (id, workspace_id, user_id, enrolment_id, campaign_id, type)
       VALUES ($1, $2, $3, $4, gen_random_uuid(), 'banner'))
     INSERT INTO journey_signals (id, workspace_id, step_execution_id, enrolment_id, outcome, occurred_at)
     VALUES (gen_random_uuid(), $2, $1, $4, 'CLICKED', now())`,
    [widgetId, workspaceId, userId, enrolmentId],
  );
}

export function eventsOf({ userId, anonymousId, marker }: Person): string[] {
  const who = { userId: text(userId), anonymousId: text(anonymousId) };
  return [
    eventOf(newMessageId(), { ...who, type: '"identify"', traits: text({ nickname: marker }) }),
    eventOf(newMessageId(), { ...who, properties: text({ note: marker }) }),
    // Sent before the person signed in.
    eventOf(newMessageId(), { anonymousId: text(anonymousId) }),
  ];
}

/** What of the person could be left in files. */
export function needlesOf({ userId, anonymousId, contactId, marker, token }: Person): Buffer[] {
  const texts = [userId, anonymousId, contactId, marker, token].map(id => Buffer.from(id));
  // In the binary form that Postgres stores.
  return [...texts, Buffer.from(contactId.replaceAll('-', ''), 'hex')];
}

const text = (value: unknown) => JSON.stringify(value);
