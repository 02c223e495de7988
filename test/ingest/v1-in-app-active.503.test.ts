import { expect, inject, test } from 'vitest';
import { fetchActive, fetchIds, untilShown } from '../harness/active.ts';
import { expectProblem, liveTenant } from '../harness/batch-client.ts';
import { createCampaign } from '../harness/campaign.ts';
import { eventually } from '../harness/eventually.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { onEveryThread } from '../harness/on-every-thread.ts';
import { startTcpGate } from '../harness/tcp-gate.ts';
import { sql, type Tenant } from '../harness/tenant.ts';

const somebody = { userId: 'user-1' };

async function startBehindGate() {
  const address = new URL(inject('databaseUrls').system);
  const gate = await startTcpGate(address.hostname, Number(address.port));
  address.port = String(gate.port);
  return { gate, node: await startIngest({ env: { DATABASE_SYSTEM_URL: address.href } }) };
}

async function expectUnavailable(node: IngestProcess, tenant: Tenant, question = {}) {
  const answer = await fetchActive(node, tenant, question);
  expectProblem(answer, 503, 'UNAVAILABLE');
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
}

test.concurrent('while Postgres is unavailable, identified requests fail, and campaigns open to everyone are still shown', async () => {
  const { gate, node } = await startBehindGate();
  try {
    const tenant = await liveTenant(node);
    const id = await createCampaign(tenant.workspaceId);
    const deleted = await createCampaign(tenant.workspaceId);
    await untilShown(node, tenant, [id, deleted], somebody);

    gate.setOpen(false);
    await eventually(() => onEveryThread(() => expectUnavailable(node, tenant, somebody)));
    await expectUnavailable(node, tenant, { contactId: 'contact-1' });
    expect(await fetchIds(node, tenant)).toEqual([id, deleted]);

    // Changes made during the outage are visible afterwards, including deleted rows.
    const later = await createCampaign(tenant.workspaceId, { priority: 1 });
    await sql('DELETE FROM campaigns WHERE id = $1', [deleted]);
    expect(await fetchIds(node, tenant)).toEqual([id, deleted]);
    gate.setOpen(true);
    await untilShown(node, tenant, [later, id], somebody);
    await untilShown(node, tenant, [later, id]);
  } finally {
    await node.kill9();
    await gate.close();
  }
});

test.concurrent('a process that has not loaded campaigns returns an error instead of an empty list', async () => {
  const { gate, node } = await startBehindGate();
  try {
    const tenant = await liveTenant(node);
    const id = await createCampaign(tenant.workspaceId);
    await untilShown(node, tenant, [id], somebody);
    await node.stop();
    gate.setOpen(false);
    await node.restart();
    await expectUnavailable(node, tenant, somebody);
    await expectUnavailable(node, tenant);
    gate.setOpen(true);
    await eventually(async () => expect(await fetchIds(node, tenant)).toEqual([id]));
    await untilShown(node, tenant, [id], somebody);
  } finally {
    await node.kill9();
    await gate.close();
  }
});

test.concurrent('a process is ready only when it knows all live campaigns', async () => {
  const { gate, node } = await startBehindGate();
  try {
    const tenant = await liveTenant(node);
    const ids = await Promise.all(
      Array.from({ length: 3 }, () => createCampaign(tenant.workspaceId)),
    );
    for (let start = 0; start < 3; start++) {
      await node.stop();
      await node.restart();
      await onEveryThread(async () =>
        expect(await fetchIds(node, tenant)).toHaveLength(ids.length),
      );
    }
  } finally {
    await node.kill9();
    await gate.close();
  }
});
