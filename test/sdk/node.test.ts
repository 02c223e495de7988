// The client in a Node program, against a real service.

import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { ClientProblem } from '../../sdk/core/problem.ts';
import { createClient } from '../../sdk/node/main.ts';
import type { NodeClientOptions } from '../../sdk/node/types.ts';
import { liveTenant } from '../harness/batch-client.ts';
import { deadAddress } from '../harness/dead-address.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { storedEvents } from '../harness/stored-events.ts';
import { sql } from '../harness/tenant.ts';

const ingest = useSharedIngest();
/** Of a service that is not there. */
let away: string;
beforeAll(async () => {
  const address = await deadAddress();
  away = `http://${address.hostPort}`;
  return () => address.close();
});

function newClient(options: Partial<NodeClientOptions>) {
  const problems: ClientProblem[] = [];
  const client = createClient({
    writeKey: 'wk_unknown',
    host: ingest().url,
    onProblem: problem => void problems.push(problem),
    ...options,
  });
  return { client, codes: () => problems.map(({ code }) => code), problems };
}

test.concurrent('every kind of event belongs to its person', async () => {
  const { writeKey, workspaceId } = await liveTenant(ingest());
  const { client, codes } = newClient({ writeKey, host: `${ingest().url}/` });
  const person = { userId: 'user-1', timestamp: new Date(Date.now() - 60_000) };
  const day = person.timestamp.toISOString().slice(0, 10);
  client.identify({ ...person, messageId: 'identify', traits: { plan: 'pro' } });
  client.track({ ...person, messageId: 'track', event: 'Paid', properties: { total: 1 } });
  client.page({ ...person, messageId: 'page', name: 'Cart', context: { ip: '203.0.113.1' } });
  client.screen({ ...person, messageId: 'screen', name: 'Cart' });
  client.group({ ...person, messageId: 'group', groupId: 'company-1' });
  client.alias({ ...person, messageId: 'alias', previousId: 'user-0' });
  const device = { anonymousId: 'device-1', sessionId: 'session-1' };
  client.track({ ...device, messageId: 'device', event: 'Opened' });
  await client.flush();
  expect([client.waiting, codes()]).toEqual([0, []]);
  const ids = ['identify', 'track', 'page', 'screen', 'group', 'alias', 'device'];
  const found = await storedEvents(workspaceId, ids);
  expect(found.map(one => [one.type, one.user_id, one.anonymous_id, one.session_id])).toEqual([
    ...ids.slice(0, 6).map(type => [type, 'user-1', 'user-1', `user-1:${day}`]),
    ['track', '', 'device-1', 'session-1'],
  ]);
  expect(found[1]!.timestamp).toBe(person.timestamp.toISOString());
  expect(JSON.parse(found[2]!.context)).toMatchObject({
    ip: '203.0.113.1',
    library: { name: 'engagement-client' },
  });
  await client.close();
});

test.concurrent('an event with the same ID and time is stored once', async () => {
  const { writeKey, workspaceId } = await liveTenant(ingest());
  const event = { userId: 'user-1', event: 'Paid', messageId: 'order-1', timestamp: new Date() };
  for (const { client } of [newClient({ writeKey }), newClient({ writeKey })]) {
    client.track(event);
    await client.close();
  }
  await storedEvents(workspaceId, ['order-1']);
});

test.concurrent('a device is registered for a contact', async () => {
  const { writeKey, workspaceId, propertyId } = await liveTenant(ingest());
  const { client, codes } = newClient({ writeKey });
  const device = { token: 'b'.repeat(64), platform: 'ios', propertyId } as const;
  client.registerDevice({ ...device, contactId: 'user-1' });
  // Another workspace's property: only that report is dropped.
  const { propertyId: foreign } = await liveTenant(ingest());
  client.registerDevice({ ...device, propertyId: foreign });
  client.deactivateDevice({ ...device, reason: 'test' });
  await client.close();
  const found = await sql('SELECT contact_id, status FROM devices WHERE workspace_id = $1', [
    workspaceId,
  ]);
  expect(found).toEqual([{ contact_id: 'user-1', status: 'INACTIVE' }]);
  expect(codes()).toEqual(['TENANT_MISMATCH']);
});

test.concurrent('events that a closed client could not send are reported, and so are later events', async () => {
  const { client, problems } = newClient({ host: away });
  client.track({ userId: 'user-1', event: 'Paid' });
  await client.close(0);
  client.track({ userId: 'user-1', event: 'Late' });
  expect(problems.map(({ code, lost }) => [code, (lost as { event: string }[])[0]!.event])).toEqual(
    [
      ['NOT_SENT', 'Paid'],
      ['NOT_SENT', 'Late'],
    ],
  );
});

test.concurrent('an unknown key ends a flush, and the reason is reported', async () => {
  const { client, codes } = newClient({});
  client.track({ userId: 'user-1', event: 'Paid' });
  await client.flush();
  expect([client.waiting, codes()]).toEqual([1, ['INVALID_WRITE_KEY']]);
  await client.close();
  expect(codes()).toEqual(['INVALID_WRITE_KEY', 'NOT_SENT']);
});

test.concurrent('a full queue drops new events', async () => {
  const { client, codes } = newClient({ host: away });
  for (let i = 0; i < 10_002; i++) client.track({ userId: 'user-1', event: 'Paid' });
  expect([client.waiting, codes()]).toEqual([10_000, ['QUEUE_FULL', 'QUEUE_FULL']]);
  await client.close(0);
});

test('neither an invalid event nor a listener that throws affects other events', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  const { writeKey, workspaceId } = await liveTenant(ingest());
  const { client } = newClient({
    writeKey,
    onProblem: () => {
      throw new Error('a fault of the listener');
    },
  });
  client.track({ userId: 'user-1', event: 'Paid', timestamp: new Date('never') });
  client.track({ userId: 'user-1', event: 'Paid', properties: { total: 1n } });
  client.track({ userId: 'user-1', event: '' });
  client.track({ userId: 'user-1', event: 'Fine', messageId: 'fine' });
  await client.close();
  await storedEvents(workspaceId, ['fine']);
  expect(printed).toHaveBeenCalledTimes(3);
});
