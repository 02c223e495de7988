// Reports use another server of the cluster while one is unavailable.

import { createClient } from '@clickhouse/client';
import { expect, inject, test } from 'vitest';
import { connectReplicas } from '../../../../graphql-api/platform/warehouse/replica-clients.ts';
import { deadAddress } from '../../../harness/dead-address.ts';

test('a query is repeated on the next server, and later queries begin there', async () => {
  const dead = await deadAddress();
  const used: string[] = [];
  const servers = connectReplicas(`http://${dead.hostPort},${inject('clickhouseUrl')}`, url => {
    const client = createClient({ url });
    return Object.assign(client, { url });
  });
  const ask = () =>
    servers.run(async client => {
      used.push((client as typeof client & { url: string }).url);
      const result = await client.query({ query: 'SELECT 1 AS one', format: 'JSONEachRow' });
      return result.json();
    });
  expect(await ask()).toEqual([{ one: 1 }]);
  expect(await ask()).toEqual([{ one: 1 }]);
  const alive = inject('clickhouseUrl');
  expect(used).toEqual([`http://${dead.hostPort}`, alive, alive]);
  expect(await (await servers.reachable()).ping()).toEqual({ success: true });
  await servers.close();
});

test('an error of the query is returned at once', async () => {
  const url = inject('clickhouseUrl');
  let tries = 0;
  const servers = connectReplicas(`${url},${url.replace('127.0.0.1', 'localhost')}`, address =>
    createClient({ url: address }),
  );
  const asking = servers.run(async client => {
    tries++;
    return client.command({ query: 'SELECT nothing' });
  });
  await expect(asking).rejects.toThrow('nothing');
  expect(tries).toBe(1);
  await servers.close();
});
