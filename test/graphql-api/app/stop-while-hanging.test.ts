// The network hangs: connections to Postgres stay open, but no data arrives. The process can still
// be stopped without killing it.

import { expect, inject, onTestFinished, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { startTcpGate } from '../../harness/tcp-gate.ts';
import { createTenant } from '../../harness/tenant.ts';
import { startApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

test('the process stops in time and logs the abandoned work', async () => {
  const { app, system } = inject('databaseUrls');
  const { hostname, port } = new URL(app);
  const gate = await startTcpGate(hostname, Number(port));
  onTestFinished(() => gate.close());
  const through = (url: string) => {
    const address = new URL(url);
    address.port = String(gate.port);
    return address.href;
  };
  const api = await startApi({
    env: { DATABASE_APP_URL: through(app), DATABASE_SYSTEM_URL: through(system) },
  });
  onTestFinished(async () => void (await api.stop()));
  const { organizationId } = await createTenant();
  const token = await tokenFor(organizationId);
  expect((await api.graphql('{ organization { id } }', { token })).status).toBe(200);
  // The jobs have their own connections, which hang too.
  await eventually(() => expect(api.logs()).toContain('listening'));

  gate.setHanging(true);
  const unanswered = api.graphql('{ organization { id } }', { token }).catch(() => undefined);
  // The exit code would be 1 if the process had reached its own limit of 28 s.
  expect(await api.stop(), api.logs()).toBe(0);
  expect(api.logs()).toContain('Postgres is not responding; dropping its connections');
  await unanswered;
});
