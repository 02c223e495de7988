// With LOG_BROKERS, a 200 means that the in-sync replicas have the rows: they are delivered to
// ClickHouse and Postgres, and nothing is lost with a node and its disk.

import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../harness/batch-client.ts';
import { hasBrokers } from '../harness/brokers.ts';
import { untilContact } from '../harness/contact.ts';
import { sharedWarehouse } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http.ts';
import { expectEachOnce, logEnvironment, startNode, startTraffic, useBrokers } from './scene.ts';

describe.skipIf(!hasBrokers())('replicated log', () => {
  const brokers = useBrokers();

  test('delivers events to ClickHouse and traits to Postgres', async context => {
    const ingest = await startNode(context, { env: logEnvironment(brokers()) });
    const tenant = await liveTenant(ingest);
    const id = newMessageId();
    const identify = eventOf(newMessageId(), {
      type: '"identify"',
      userId: '"ada"',
      traits: '{"plan":"pro"}',
    });
    expectAccepted(await postEvents(ingest, tenant.writeKey, [eventOf(id), identify]), 2);
    await expectEachOnce(sharedWarehouse, tenant, [id]);
    expect(await untilContact(tenant, 'ada')).toMatchObject({ traits: { plan: 'pro' } });
  });

  test('a node that is killed and loses its disk loses no acknowledged event', async context => {
    const env = logEnvironment(brokers());
    const [lost, other] = [await startNode(context, { env }), await startNode(context, { env })];
    const tenant = await liveTenant(lost);
    const traffic = startTraffic([lost], tenant);
    await traffic.untilAcknowledged(200);
    await lost.kill9();
    await rm(lost.dataDirectory, { recursive: true });
    await traffic.stop();
    expect(other.isRunning()).toBe(true);
    await expectEachOnce(sharedWarehouse, tenant, traffic.acknowledged);
  });

  test('goes on when a broker is killed, and refuses while two are away', async context => {
    const ingest = await startNode(context, { env: logEnvironment(brokers()) });
    const tenant = await liveTenant(ingest);
    const traffic = startTraffic([ingest], tenant);
    await traffic.untilAcknowledged(50);
    await brokers().kill9(0);
    await traffic.untilAcknowledged(50);
    await brokers().kill9(1);
    await eventually(async () => {
      const before = [traffic.acknowledged.length, traffic.refused()] as const;
      await eventually(async () => expect(traffic.refused()).toBeGreaterThan(before[1] + 20));
      expect(traffic.acknowledged.length).toBe(before[0]);
      expect((await send(`${ingest.url}/readyz`, { method: 'GET' })).status).toBe(503);
    });
    await Promise.all([brokers().start(0), brokers().start(1)]);
    await traffic.untilAcknowledged(50);
    await traffic.stop();
    await expectEachOnce(sharedWarehouse, tenant, traffic.acknowledged);
  });
});
