// An API process with its own database, because a process of another test would send deliveries
// too, and receivers of its webhooks.

import { afterAll, afterEach, beforeAll } from 'vitest';
import { ownDatabase } from '../../harness/own-database.ts';
import { createTenant, type Tenant } from '../../harness/tenant.ts';
import { startTestReceiver, type TestReceiver } from '../../harness/webhook-receiver.ts';
import { type ApiProcess, startApi } from '../harness/api-process.ts';

export type WebhookApi = {
  readonly api: () => ApiProcess;
  readonly databaseUrl: () => string;
  readonly receivers: readonly TestReceiver[];
  readonly scene: () => Promise<Scene>;
};

export type Scene = { readonly tenant: Tenant; readonly receiver: TestReceiver };

export function useWebhookApi(): WebhookApi {
  let api: ApiProcess;
  let databaseUrl: string;
  const receivers: TestReceiver[] = [];
  beforeAll(async () => {
    const urls = await ownDatabase();
    databaseUrl = urls.owner;
    api = await startApi({
      env: {
        DATABASE_APP_URL: urls.app,
        DATABASE_SYSTEM_URL: urls.system,
        DATABASE_POOL_MAX: '4',
        LOG_LEVEL: 'trace',
      },
    });
  });
  afterEach(() => {
    if (!api.isRunning()) throw new Error(`the API died:\n${api.logs()}`);
  });
  afterAll(async () => {
    await api?.stop();
    for (const receiver of receivers) await receiver.stop();
  });
  return {
    api: () => api,
    databaseUrl: () => databaseUrl,
    receivers,
    async scene() {
      const receiver = await startTestReceiver();
      receivers.push(receiver);
      return { tenant: await createTenant({ databaseUrl }), receiver };
    },
  };
}
