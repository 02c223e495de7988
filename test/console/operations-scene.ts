// The operations of platform admins. They have their own database, since cells, terms and failed
// jobs belong to no tenant.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type ApiProcess, startApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { useGateway } from '../harness/gateway.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { INTERNAL_TOKEN } from '../harness/internal.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';

export function useOperations() {
  const gateway = useGateway();
  const open = useConsole(useChromium());
  let urls: Awaited<ReturnType<typeof ownDatabase>>;
  let ingest: IngestProcess;
  let api: ApiProcess;
  let admins: Tenant;

  beforeAll(async () => {
    urls = await ownDatabase();
    admins = await newTenant();
    ingest = await startIngest({
      threads: 1,
      env: { DATABASE_SYSTEM_URL: urls.system, INTERNAL_TOKEN },
    });
    api = await startApi({
      env: {
        ...gateway().env,
        DATABASE_APP_URL: urls.app,
        DATABASE_SYSTEM_URL: urls.system,
        INTERNAL_TOKEN,
        INGEST_URL: ingest.url,
        RATE_POINTS_PER_SECOND: '1000',
      },
    });
  });
  afterAll(async () => {
    await Promise.all([api?.stop(), ingest?.stop()]);
  });

  const query = (text: string, values: unknown[] = []) => sql(text, values, urls.owner);
  const newTenant = () => createTenant({ databaseUrl: urls.owner });

  async function openAs(role: 'owner' | 'platform_admin', section = ''): Promise<Page> {
    const token = await tokenFor(admins.organizationId, { roles: [role] });
    return open({ url: api.url, token, path: `/operations${section}` });
  }

  async function openAt(section = ''): Promise<Page> {
    const page = await openAs('platform_admin', section);
    await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor();
    return page;
  }
  return { ownerUrl: () => urls.owner, query, newTenant, openAs, openAt };
}

/** In the confirmation, whose title begins with the name of its button. */
export const answerYes = (page: Page, name: string) =>
  page.getByRole('dialog', { name }).getByRole('button', { name, exact: true }).click();
