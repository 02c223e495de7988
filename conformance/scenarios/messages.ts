// Scenarios for clients with in-app messages, push and device tokens.

import { setTimeout as wait } from 'node:timers/promises';
import { type Fault, loseAnswer, pass, refuse } from '../faults.ts';
import type { Attempt } from '../record.ts';
import type { Scenario } from '../scenario.ts';
import type { InApp } from '../service.ts';
import { type Stage, USER_ID } from '../stage.ts';

const ACTIVE = '/v1/in-app/active';
const EVENTS = '/v1/in_app/events';
const RESPONSES = '/api/v1/in_app/responses';
const ENGAGEMENT = '/v1/push/engagement';
const DEVICES = '/v1/devices';
const SURFACE = 'storefront_catalog';
const DEVICE_TOKEN = '740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad';
const DEVICE = { token: DEVICE_TOKEN, platform: 'ios' } as const;

export const MESSAGES: readonly Scenario[] = [
  {
    name: 'in-app',
    summary:
      'The app fetches a campaign and a journey widget, shows each of them twice, and reports clicks and a survey response. Some responses from the server are lost.',
    needs: 'in-app',
    rules: ['in-app-fetch', 'feedback-route', 'feedback-key'],
    async play(stage) {
      const inApp = await stage.service.createInApp(stage.workspace, USER_ID);
      await untilActive(stage, inApp);
      stage.server.plan = firstOfEachPath(loseAnswer, EVENTS, RESPONSES, '/v1/in-app/widgets/');
      stage.call('identify');
      await show(stage, inApp, 1);
      await show(stage, inApp, 2);
      stage.say({ call: 'feedback', campaignId: inApp.campaignId, action: 'clicked' });
      stage.say({ call: 'feedback', campaignId: inApp.widgetCampaignId, action: 'clicked' });
      stage.say({
        call: 'response',
        campaignId: inApp.campaignId,
        responseType: 'nps',
        payload: { score: 9 },
      });
      stage.flush();
      await untilSent(stage, 'feedback-route', [
        [
          'a click on the campaign',
          EVENTS,
          { campaign_id: inApp.campaignId, event_type: 'clicked' },
        ],
        ['a click on the widget', ackPath(inApp), { action: 'clicked' }],
        ['the response', RESPONSES, { campaign_id: inApp.campaignId, response_type: 'nps' }],
      ]);
      await stage.untilStored();
      checkRoutes(stage, inApp);
    },
    check(stage) {
      checkFetch(stage);
      checkKeys(stage);
    },
  },
  {
    name: 'push',
    summary:
      'The person clicks a push notification. The first report of the click gets a 503. The app also tracks an event.',
    needs: 'push',
    rules: ['push-engagement'],
    async play(stage) {
      const { propertyId } = stage.workspace;
      stage.server.plan = firstOfEachPath(refuse(503, 'UNAVAILABLE'), ENGAGEMENT);
      stage.say({
        call: 'pushEngagement',
        event: 'push.clicked',
        messageId: 'push-1',
        platform: 'ios',
        propertyId,
      });
      stage.track(1);
      stage.flush();
      await stage.untilStored();
      await stage.until(
        () => sent(stage, ENGAGEMENT).length > 0,
        () => ({
          rule: 'push-engagement',
          expected: `POST ${ENGAGEMENT}`,
          found: 'no such request',
        }),
      );
    },
    check(stage) {
      const expected = {
        event_type: 'push.clicked',
        message_id: 'push-1',
        platform: 'ios',
        property_id: stage.workspace.propertyId,
      };
      for (const { json } of sent(stage, ENGAGEMENT))
        stage.expect('push-engagement', has(json, expected), text(expected), text(json));
    },
  },
  {
    name: 'devices',
    summary:
      'The app registers a device token and later deactivates it. The first registration request gets a 503.',
    needs: 'devices',
    rules: ['device'],
    async play(stage) {
      stage.server.plan = firstOfEachPath(refuse(503, 'UNAVAILABLE'), `${DEVICES}/register`);
      stage.call('identify');
      stage.say({ call: 'registerDevice', ...DEVICE });
      stage.flush();
      const fields = { device_token: DEVICE_TOKEN, platform: 'ios' };
      await untilSent(stage, 'device', [['the token', `${DEVICES}/register`, fields]]);
      stage.say({ call: 'deactivateDevice', ...DEVICE, reason: 'apns_inactive' });
      stage.flush();
      await untilSent(stage, 'device', [
        [
          'the deactivation of the token',
          `${DEVICES}/deactivate`,
          { ...fields, reason: 'apns_inactive' },
        ],
      ]);
      await stage.untilStored();
    },
  },
];

type Fields = Readonly<{ [name: string]: unknown }>;

function firstOfEachPath(fault: Fault, ...paths: readonly string[]): (attempt: Attempt) => Fault {
  const left = new Set(paths);
  return ({ path }) => {
    const found = [...left].find(start => path.startsWith(start));
    if (found === undefined) return pass;
    left.delete(found);
    return fault;
  };
}

function ackPath({ stepExecutionId }: InApp): string {
  return `/v1/in-app/widgets/${stepExecutionId}/ack`;
}

function sent({ record }: Stage, path: string): readonly Attempt[] {
  return record.attempts.filter(attempt => attempt.path.split('?')[0] === path);
}

/** Ingest applies a new campaign within a second. */
async function untilActive({ service, workspace }: Stage, { campaignId }: InApp): Promise<void> {
  const url = service.ingestUrl + ACTIVE;
  const headers = { 'x-service-write-key': workspace.writeKey, 'x-user-id': USER_ID };
  while (!(await (await fetch(url, { headers })).text()).includes(campaignId)) await wait(50);
}

/** The app fetches the campaigns and shows both. */
async function show(stage: Stage, inApp: InApp, fetches: number): Promise<void> {
  stage.say({ call: 'inApp', surface: SURFACE });
  await stage.until(
    () => sent(stage, ACTIVE).filter(({ ingest }) => ingest?.status === 200).length >= fetches,
    () => ({
      rule: 'in-app-fetch',
      expected: `GET ${ACTIVE} with the write key, and a 200 response`,
      found:
        sent(stage, ACTIVE)
          .map(({ ingest }) => ingest?.body)
          .join(', ') || 'no request',
    }),
  );
  stage.say({ call: 'feedback', campaignId: inApp.campaignId, action: 'shown' });
  stage.say({ call: 'feedback', campaignId: inApp.widgetCampaignId, action: 'shown' });
}

/** Waits until ingest has accepted a body with these fields on each path. */
async function untilSent(
  stage: Stage,
  rule: 'feedback-route' | 'device',
  wanted: readonly (readonly [what: string, path: string, fields: Fields])[],
): Promise<void> {
  for (const [what, path, fields] of wanted)
    await stage.until(
      () => sent(stage, path).some(({ json, ending }) => has(json, fields) && isAnswered(ending)),
      () => ({
        rule,
        expected: `${what}: POST ${path} with ${text(fields)}, repeated until the response is a 200`,
        found:
          sent(stage, path)
            .map(({ json }) => text(json))
            .join(', ') || 'no such request',
      }),
    );
}

function isAnswered(ending: Attempt['ending']): boolean {
  return ending?.kind === 'answered' && ending.status === 200;
}

function checkFetch(stage: Stage): void {
  for (const { path, headers } of sent(stage, ACTIVE)) {
    const surface = new URLSearchParams(path.split('?')[1]).get('current_surface');
    const found = { user: headers['x-user-id'], surface };
    const expected = { user: USER_ID, surface: SURFACE };
    stage.expect('in-app-fetch', has(found, expected), text(expected), text(found));
  }
}

function checkRoutes(stage: Stage, inApp: InApp): void {
  const strayed = sent(stage, EVENTS).find(({ json }) =>
    has(json, { campaign_id: inApp.widgetCampaignId }),
  );
  const isRight = strayed === undefined;
  stage.expect(
    'feedback-route',
    isRight,
    `feedback on the widget only at ${ackPath(inApp)}`,
    text(strayed?.json),
  );
}

/** Checks that each display has its own key, and that its retries use the same key. */
function checkKeys(stage: Stage): void {
  const bodies = [...sent(stage, EVENTS), ...sent(stage, RESPONSES)].map(({ json }) => json);
  const without = bodies.find(json => !json?.idempotency_key);
  stage.expect('feedback-key', without === undefined, 'an idempotency_key', text(without));
  const displays = bodies.filter(json => has(json, { event_type: 'impression' }));
  const keys = new Set(displays.map(json => json?.idempotency_key));
  const isOneEach = keys.size === 2 && displays.length > keys.size;
  const found = displays.map(json => json?.idempotency_key).join(', ');
  stage.expect(
    'feedback-key',
    isOneEach,
    'two keys, one for each display, and at least one of them sent again',
    found,
  );
}

function has(found: Fields | undefined, expected: Fields): boolean {
  return Object.entries(expected).every(([name, value]) => found?.[name] === value);
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? 'none';
}
