// A broker that accepts connections but never responds is worse than a stopped one, because clients wait for
// it. Requests must not wait: they get a response within the time for an acknowledgement, and the other brokers
// handle the traffic while the broker hangs.

import { describe, test } from 'vitest';
import { liveTenant } from '../harness/batch-client.ts';
import { hasBrokers } from '../harness/brokers.ts';
import { sharedWarehouse } from '../harness/copies.ts';
import { expectEachOnce, logEnvironment, startNode, startTraffic, useBrokers } from './scene.ts';

describe.skipIf(!hasBrokers())('a broker that hangs', () => {
  const brokers = useBrokers();

  test.for([0, 1, 2])('broker %i', async (broker, context) => {
    const ingest = await startNode(context, { env: logEnvironment(brokers()) });
    const tenant = await liveTenant(ingest);
    const traffic = startTraffic([ingest], tenant);
    await traffic.untilAcknowledged(50);
    brokers().suspend(broker);
    try {
      await traffic.untilAcknowledged(200);
    } finally {
      brokers().resume(broker);
    }
    await traffic.untilAcknowledged(50);
    await traffic.stop();
    await expectEachOnce(sharedWarehouse, tenant, traffic.acknowledged);
  });
});
