// Each alert about the replicated log fires for a fault that a real Prometheus sees, and no alert fires before
// the faults.

import { Admin } from '@platformatic/kafka';
import { expect, test } from 'vitest';
import { freePort } from '../../embedded/ports.ts';
import { cellNames } from '../../ingest/replicated-log/topic-names.ts';
import { eventText } from '../harness/batch.ts';
import { liveTenant, postEvents } from '../harness/batch-client.ts';
import { type Brokers, hasBrokers } from '../harness/brokers.ts';
import { sharedWarehouse } from '../harness/copies.ts';
import {
  expectEachOnce,
  logEnvironment,
  startNode,
  startTraffic,
  useBrokers,
} from '../replicated-log/scene.ts';
import { hasPrometheus, watchAlerts } from './harness/prometheus.ts';

const brokers = useBrokers();
const PARTITIONS = 12;

test.skipIf(!hasPrometheus() || !hasBrokers())(
  'each alert about the log fires for its fault',
  async context => {
    const env = logEnvironment(brokers());
    const accepting = await startNode(context, { env: { ...env, INGEST_ROLE: 'accept' } });
    const inserter = await startNode(context, {
      threads: 1,
      // Prometheus asks the same address after a restart.
      env: { ...env, INGEST_ROLE: 'insert', INGEST_PORT: String(await freePort()) },
    });
    const tenant = await liveTenant(accepting);
    const traffic = startTraffic([accepting], tenant);
    await traffic.untilAcknowledged(10);
    await traffic.stop();
    await expectEachOnce(sharedWarehouse, tenant, traffic.acknowledged);

    const inserterAlerts = await watchAlerts('log', inserter.url);
    const acceptingAlerts = await watchAlerts('log', accepting.url);
    expect(await inserterAlerts.fired()).toEqual([]);
    const send = () => postEvents(accepting, tenant.writeKey, [eventText()]);
    await acceptingAlerts.fireFor(['LogNotRead'], send);
    expect(await acceptingAlerts.fired()).toEqual(['LogNotRead']);

    await inserter.kill9();
    expect((await send()).status).toBe(200);
    await deleteRecords(brokers(), env.LOG_TOPIC_PREFIX!);
    await inserter.restart();
    await inserterAlerts.fireFor(['LogRecordsLost'], async () => undefined);

    await Promise.all([brokers().kill9(0), brokers().kill9(1)]);
    await acceptingAlerts.fireFor(['LogRefuses'], send);
  },
);

/** As the retention does: all records that are in the log now. */
async function deleteRecords({ addresses }: Brokers, prefix: string): Promise<void> {
  const admin = new Admin({ clientId: 'retention', bootstrapBrokers: addresses.split(',') });
  const { rows } = cellNames(prefix, 'default');
  const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
  await admin.deleteRecords({
    topics: [{ name: rows, partitions: partitions.map(partition => ({ partition, offset: -1n })) }],
  });
  await admin.close();
}
