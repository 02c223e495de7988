// A message to a person is one delivery, whichever IDs its reports use for the person, and causes
// each outbound event once. Different people have different deliveries.

import { expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { untilDrained } from '../harness/copies.ts';
import { type IngestProcess, useIngest } from '../harness/ingest-process.ts';
import { cardsOf, deliveriesOf, outboundOf, type PushBody, postPush } from '../harness/push.ts';

// A single log, so that reports cause outbound events in the order in which they are sent.
const oneThread = useIngest({ threads: 1 });
const twoThreads = useIngest({ threads: 2 });

type Scenario = {
  readonly reports: readonly (readonly [type: string, who: PushBody])[];
  /** For each delivery. */
  readonly expected: readonly (readonly [userId: string, status: string])[];
  readonly notices: readonly string[];
  /** Two reports cause duplicate events if both arrive before the report that links their IDs. */
  readonly needsOrder?: true;
};

const device = { anonymous_id: 'a' };
const ALL_NOTICES = ['delivery.clicked', 'delivery.delivered', 'delivery.opened'];
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'the device alone, then with its user': {
    reports: [
      ['delivered', device],
      ['clicked', { user_id: 'u', ...device }],
    ],
    expected: [['u', 'clicked']],
    notices: ALL_NOTICES,
  },
  'a click of the device alone': {
    reports: [
      ['clicked', device],
      ['push.shown', { user_id: 'u', ...device }],
      ['clicked', { user_id: 'u' }],
    ],
    expected: [['u', 'clicked']],
    notices: ALL_NOTICES,
    needsOrder: true,
  },
  'a dismissal that shows whose the device is': {
    reports: [
      ['clicked', device],
      ['dismissed', { user_id: 'u', ...device }],
      ['clicked', { user_id: 'u' }],
    ],
    expected: [['u', 'clicked']],
    notices: ['delivery.clicked', 'delivery.opened'],
    needsOrder: true,
  },
  'the device, then its contact id': {
    reports: [
      ['delivered', device],
      ['delivered', { contact_id: 'c', ...device }],
    ],
    expected: [['c', 'shown']],
    notices: ['delivery.delivered'],
  },
  'a contact id and a user id of the same text': {
    reports: [
      ['delivered', { contact_id: 'c' }],
      ['delivered', { user_id: 'c' }],
      ['clicked', { user_id: 'c' }],
    ],
    expected: [['c', 'clicked']],
    notices: ALL_NOTICES,
  },
  'a contact id, the user with it, the user alone': {
    reports: [
      ['delivered', { contact_id: 'c' }],
      ['delivered', { user_id: 'u', contact_id: 'c' }],
      ['clicked', { user_id: 'u' }],
    ],
    expected: [['u', 'clicked']],
    notices: ALL_NOTICES,
  },
  'two devices of one user': {
    reports: [
      ['delivered', { user_id: 'u', anonymous_id: 'a-1' }],
      ['clicked', { user_id: 'u', anonymous_id: 'a-2' }],
    ],
    expected: [['u', 'clicked']],
    notices: ALL_NOTICES,
  },
  'two users of one device': {
    reports: [
      ['delivered', { user_id: 'u-1', ...device }],
      ['delivered', device],
      ['delivered', { user_id: 'u-2', ...device }],
    ],
    expected: [
      ['u-1', 'shown'],
      ['u-2', 'shown'],
    ],
    notices: ['delivery.delivered', 'delivery.delivered'],
  },
  'two devices whose users nobody names': {
    reports: [
      ['delivered', { anonymous_id: 'a-1' }],
      ['delivered', { anonymous_id: 'a-2' }],
    ],
    expected: [
      ['', 'shown'],
      ['', 'shown'],
    ],
    notices: ['delivery.delivered', 'delivery.delivered'],
  },
  'a contact id that reads like another user’s id': {
    reports: [
      ['delivered', { user_id: '7', contact_id: '31' }],
      ['delivered', { user_id: '12', contact_id: '7' }],
      ['delivered', { user_id: '7' }],
    ],
    expected: [
      ['12', 'shown'],
      ['7', 'shown'],
    ],
    notices: ['delivery.delivered', 'delivery.delivered'],
  },
};

type Report = () => Promise<void>;

async function play(
  ingest: () => IngestProcess,
  scenarios: readonly (readonly [message: string, scenario: Scenario])[],
  send: (reports: readonly Report[]) => Promise<unknown>,
): Promise<void> {
  const tenant = await liveTenant(ingest());
  for (const [message_id, { reports }] of scenarios)
    await send(
      reports.map(([event_type, who]) => async () => {
        const answer = await postPush(ingest(), tenant, { event_type, message_id, ...who });
        expect(answer.status).toBe(200);
      }),
    );
  await untilDrained(ingest());
  const deliveries = await deliveriesOf(tenant.workspaceId);
  const outbound = await outboundOf(tenant.workspaceId);
  for (const [message, { expected, notices }] of scenarios) {
    const found = deliveries.filter(row => row.message_id === message);
    expect(found.map(row => [row.user_id, row.status]).toSorted(byText), message).toEqual(expected);
    const told = outbound.filter(({ payload }) => payload.message_id === message);
    expect(told.map(({ type }) => type).sort(), message).toEqual(notices);
  }
}

async function oneByOne(reports: readonly Report[]): Promise<void> {
  for (const report of reports) await report();
}

test('reports one by one', () => play(oneThread, Object.entries(SCENARIOS), oneByOne));

test('reports in reverse', () =>
  play(oneThread, Object.entries(SCENARIOS), reports => oneByOne(reports.toReversed())));

test('reports twice, concurrently, on two threads', () =>
  play(
    twoThreads,
    Object.entries(SCENARIOS).filter(([, { needsOrder }]) => needsOrder === undefined),
    reports => Promise.all([...reports, ...reports].map(report => report())),
  ));

test('a card of a known person contains the ID of the delivery that analysts see', async () => {
  const tenant = await liveTenant(oneThread());
  for (const who of [{ contact_id: 'c' }, { user_id: 'c' }])
    await postPush(oneThread(), tenant, { event_type: 'clicked', message_id: 'm', ...who });
  await untilDrained(oneThread());
  const [delivery, ...others] = await deliveriesOf(tenant.workspaceId);
  expect(others).toEqual([]);
  const cards = await cardsOf(tenant.workspaceId);
  expect(cards.map(card => card.delivery_id)).toEqual([delivery?.delivery_id]);
});

function byText(one: readonly string[], other: readonly string[]): number {
  return one.join() < other.join() ? -1 : 1;
}
