// A pooler keeps its clients' connections when its server is replaced, by a failover or a backup.

import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DirectoryData } from '../../../ingest/authenticate/directory-data.ts';
import { DirectoryFollower } from '../../../ingest/authenticate/follow-directory.ts';
import { CampaignFollower } from '../../../ingest/campaigns/follow-campaigns.ts';
import { PostgresLink } from '../../../ingest/postgres/postgres-link.ts';
import type { Transactions } from '../../../ingest/postgres/transactions.ts';
import { createCampaign } from '../../harness/campaign.ts';
import { eventually } from '../../harness/eventually.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { createTenant } from '../../harness/tenant.ts';
import { silentLog } from './silent-log.ts';

test('another server behind the same connection is detected', async () => {
  const [first, second] = [await server(), await server()];
  let current = first;
  const client: Pick<Transactions, 'query' | 'transaction'> = {
    query: statement => current.client().query(statement),
    transaction: (settings, work) => current.client().transaction(settings, work),
  };
  let data: DirectoryData | undefined;
  const live = new Set<string>();
  const options = { clock: { nowMs: Date.now }, log: silentLog };
  const directory = new DirectoryFollower({
    ...options,
    snapshotPath: join(await newDirectory('directory'), 'directory.snapshot'),
    onDirectory: (_, next) => {
      data = next;
    },
  });
  const campaigns = new CampaignFollower({
    ...options,
    onCampaigns: changes => {
      for (const id of changes.gone) live.delete(id);
      for (const { id } of changes.live) live.add(id);
    },
  });
  // The follower rests after a load.
  for (current of [first, second, first])
    await eventually(async () => {
      await directory.look(client);
      await campaigns.look(client);
      expect(data!.sdkKeys.map(({ id }) => id)).toEqual([current.keyId]);
      expect([...live]).toEqual([current.campaignId]);
    });
  await directory.stop();
});

/** Both have the same numbers of rows and changes. */
async function server() {
  const { owner, system } = await ownDatabase();
  const { keyId, workspaceId } = await createTenant({ databaseUrl: owner });
  const campaignId = await createCampaign(workspaceId, { databaseUrl: owner });
  const link = new PostgresLink({
    databaseUrl: system,
    name: 'other-server',
    statementTimeoutMs: 5_000,
    log: silentLog,
  });
  onTestFinished(() => link.stop());
  await eventually(async () => expect(link.client).toBeDefined());
  return { keyId, campaignId, client: () => link.client! };
}
