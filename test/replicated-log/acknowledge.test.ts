// With LOG_BROKERS, a 200 means that the in-sync replicas have the rows: they are delivered to
// ClickHouse and Postgres, and no event is lost if a node loses its disk.

import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { startApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../harness/batch-client.ts';
import { hasBrokers } from '../harness/brokers.ts';
import { untilContact } from '../harness/contact.ts';
import { sharedWarehouse, tally } from '../harness/copies.ts';
import { deadAddress } from '../harness/dead-address.ts';
import { eventually } from '../harness/eventually.ts';
import { send } from '../harness/http.ts';
import { INTERNAL_TOKEN } from '../harness/internal.ts';
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

  test.for([
    { where: 'in the log', isLost: false },
    { where: 'in the spool', isLost: true },
  ])('$where, events of a node that loses its disk are lost: $isLost', async (world, context) => {
    const env = world.isLost ? {} : logEnvironment(brokers());
    const dead = await deadAddress();
    context.onTestFinished(() => dead.close());
    const CLICKHOUSE_URL = `http://${dead.hostPort}`;
    const node = await startNode(context, { env: { ...env, CLICKHOUSE_URL } });
    const tenant = await liveTenant(node);
    const traffic = startTraffic([node], tenant);
    await traffic.untilAcknowledged(200);
    await node.kill9();
    await rm(node.dataDirectory, { recursive: true });
    await traffic.stop();
    const replacement = await startNode(context, { env });
    const later = newMessageId();
    expectAccepted(await postEvents(replacement, tenant.writeKey, [eventOf(later)]), 1);
    const lost = world.isLost ? traffic.acknowledged : [];
    const stored = [later, ...traffic.acknowledged].filter(id => !lost.includes(id));
    await expectEachOnce(sharedWarehouse, tenant, stored);
    const { missing } = await tally(sharedWarehouse, 'events', tenant.workspaceId, lost);
    expect(missing).toEqual(lost);
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

  test('the delay of reports is unknown while no broker responds', async context => {
    const ingest = await startNode(context, { env: logEnvironment(brokers()) });
    const api = await startApi({ env: { INTERNAL_TOKEN, INGEST_URL: ingest.url } });
    context.onTestFinished(async () => void (await api.stop()));
    const tenant = await liveTenant(ingest);
    const token = await tokenFor(tenant.organizationId);
    const untilDelay = (delay: object) =>
      eventually(async () => {
        const question = '{ ingestHealth { delay { seconds isComplete } } }';
        const { data } = await api.graphql(question, { token });
        expect(data?.ingestHealth).toEqual({ delay });
      });
    await untilDelay({ seconds: 0, isComplete: true });
    await Promise.all(ALL.map(index => brokers().kill9(index)));
    await untilDelay({ seconds: null, isComplete: false });
    await Promise.all(ALL.map(index => brokers().start(index)));
    await untilDelay({ seconds: 0, isComplete: true });
  });
});

const ALL = [0, 1, 2];
