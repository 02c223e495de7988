// A ClickHouse that loses power may lose rows that it has confirmed. The records are still in the
// log: after a restart of ClickHouse, the inserters verify the latest ones.

import { describe, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { hasBrokers } from '../harness/brokers.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { expectEachOnce, logEnvironment, startNode, startTraffic, useBrokers } from './scene.ts';

const clickhouse = useClickHouse();

describe.skipIf(!hasBrokers())('rows that ClickHouse lost after it had confirmed them', () => {
  const brokers = useBrokers();

  test.for(['the inserter goes on', 'the inserter was killed'])(
    'are inserted again: %s',
    async (how, context) => {
      const env = { ...logEnvironment(brokers()), CLICKHOUSE_URL: clickhouse().url };
      const ingest = await startNode(context, { env });
      const tenant = await liveTenant(ingest);
      const traffic = startTraffic([ingest], tenant);
      await traffic.untilAcknowledged(100);
      await traffic.stop();
      await expectEachOnce(clickhouse(), tenant, traffic.acknowledged);
      if (how === 'the inserter was killed') await ingest.kill9();
      await clickhouse().command('TRUNCATE TABLE events_raw');
      await clickhouse().kill9();
      await clickhouse().start();
      if (!ingest.isRunning()) await ingest.restart();
      await expectEachOnce(clickhouse(), tenant, traffic.acknowledged);
    },
  );
});
