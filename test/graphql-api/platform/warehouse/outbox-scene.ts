import { putRows } from '../../../../graphql-api/platform/warehouse/put-rows.ts';
import { type IngestProcess, startIngest } from '../../../harness/ingest-process.ts';
import { INTERNAL_TOKEN } from '../../../harness/internal.ts';
import { type MovingAddress, movingAddress } from '../../../harness/moving-address.ts';
import { ownDatabase } from '../../../harness/own-database.ts';
import { createTenant, sql, type Tenant, type TenantOptions } from '../../../harness/tenant.ts';
import { type ApiProcess, startApi } from '../../harness/api-process.ts';
import { createDeps, type TestDeps } from '../../harness/deps.ts';

export type OutboxScene = {
  readonly deps: TestDeps;
  readonly databaseUrl: string;
  readonly ingest: IngestProcess;
  /** The API's INGEST_URL. */
  readonly address: MovingAddress;
  startApi(): Promise<ApiProcess>;
  createTenant(options?: TenantOptions): Promise<Tenant>;
  /** Adds rows like an action of the tenant does. */
  put(tenant: Tenant, rows: readonly object[], table?: string): Promise<void>;
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
};

/** Uses its own database, because any API process sends the rows that it finds in an outbox. */
export async function outboxScene(): Promise<OutboxScene> {
  const urls = await ownDatabase();
  const address = await movingAddress();
  const ingest = await startIngest({
    threads: 1,
    env: { DATABASE_SYSTEM_URL: urls.system, INTERNAL_TOKEN },
  });
  address.pointTo(ingest.url);
  const env = {
    DATABASE_APP_URL: urls.app,
    DATABASE_SYSTEM_URL: urls.system,
    INGEST_URL: address.url,
    INTERNAL_TOKEN,
  };
  const deps = await createDeps(env);
  const apis: ApiProcess[] = [];
  return {
    deps,
    databaseUrl: urls.owner,
    ingest,
    address,
    async startApi() {
      const api = await startApi({ env });
      apis.push(api);
      return api;
    },
    createTenant: options => createTenant({ ...options, databaseUrl: urls.owner }),
    put: ({ organizationId, workspaceId }, rows, table = 'activity_cards_raw') =>
      deps.database.asTenant(organizationId, em =>
        putRows(em, deps, { workspaceId, table, rows: rows as Record<string, unknown>[] }),
      ),
    query: (text, values) => sql(text, values, urls.owner),
    async close() {
      for (const api of apis) await api.stop();
      await ingest.stop();
      await deps.warehouses.close();
      await deps.database.close();
      await address.close();
    },
  };
}
