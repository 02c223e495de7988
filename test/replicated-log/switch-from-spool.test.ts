// LOG_BROKERS is set on a running installation: events that wait in the spool are delivered from there,
// new events go to the log, and no event is lost or stored twice. The same applies to the switch back.

import { describe, expect, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { hasBrokers } from '../harness/brokers.ts';
import { startFaultProxy } from '../harness/fault-proxy.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { expectEachOnce, logEnvironment, startNode, startTraffic, useBrokers } from './scene.ts';

const clickhouse = useClickHouse();

describe.skipIf(!hasBrokers())('LOG_BROKERS on a running installation', () => {
  const brokers = useBrokers();

  test('is set and unset under load, with ClickHouse away', async context => {
    const warehouse = await startFaultProxy(clickhouse().url);
    context.onTestFinished(() => warehouse.close());
    const env = { CLICKHOUSE_URL: warehouse.url };
    const ingest = await startNode(context, { env });
    const log = logEnvironment(brokers());
    // Delivers the log when the first node no longer does.
    const inserter = await startNode(context, {
      threads: 1,
      env: { ...env, ...log, INGEST_ROLE: 'insert' },
    });
    const tenant = await liveTenant(ingest);
    warehouse.refuseConnections(true);
    const traffic = startTraffic([ingest], tenant);
    await traffic.untilAcknowledged(50);
    await ingest.kill9();
    await ingest.restart(log);
    await traffic.untilAcknowledged(50);
    await ingest.kill9();
    await ingest.restart({ LOG_BROKERS: '' });
    await traffic.untilAcknowledged(50);
    await traffic.stop();
    warehouse.refuseConnections(false);
    expect(inserter.isRunning()).toBe(true);
    await expectEachOnce(clickhouse(), tenant, traffic.acknowledged);
  });
});
