// The kit's access to a running ingest: creates a workspace per scenario, and reads its stored
// events.

import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';

export type Workspace = {
  readonly workspaceId: string;
  readonly propertyId: string;
  readonly writeKey: string;
};

export type StoredEvent = {
  readonly type: string;
  readonly event: string;
  readonly name: string;
  readonly message_id: string;
  readonly anonymous_id: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly timestamp: string;
  readonly corrected_at: string;
  readonly properties: string;
  readonly traits: string;
  readonly extra: string;
};

export type InApp = {
  readonly campaignId: string;
  readonly widgetCampaignId: string;
  readonly stepExecutionId: string;
};

export type Service = {
  readonly ingestUrl: string;
  createWorkspace(): Promise<Workspace>;
  /** Creates a live campaign for everyone, and a widget that is queued for the person. */
  createInApp(workspace: Workspace, userId: string): Promise<InApp>;
  /** Returns the events of the workspace as soon as ClickHouse has all of these message IDs. */
  storedEvents(workspaceId: string, messageIds: ReadonlySet<string>): Promise<StoredEvent[]>;
  close(): Promise<void>;
};

export type Addresses = {
  readonly ingestUrl: string;
  /** As the owner of the tables. */
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
};

const POLL_MS = 200;
/** Ingest accepts a new key within a second, and inserts events into ClickHouse within three. */
const WAIT_MAX_MS = 30_000;
/**
 * Each thread of ingest receives a new key separately; new connections are spread over the threads.
 */
const CONFIRMATIONS = 10;

export function openService({ ingestUrl, databaseUrl, clickhouseUrl }: Addresses): Service {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  pool.on('error', () => undefined);
  const clickhouse = createClient({
    url: clickhouseUrl,
    clickhouse_settings: { date_time_output_format: 'iso' },
  });
  const select = async <Row>(query: string, workspaceId: string): Promise<Row[]> => {
    const query_params = { workspaceId };
    const result = await clickhouse.query({ query, query_params, format: 'JSONEachRow' });
    return result.json<Row>();
  };
  return {
    ingestUrl,
    async createWorkspace() {
      const workspace = await insertWorkspace(pool);
      for (let known = 0; known < CONFIRMATIONS; known++)
        await until('ingest knows the write key', () => isKnown(ingestUrl, workspace.writeKey));
      return workspace;
    },
    createInApp: (workspace, userId) => insertInApp(pool, workspace, userId),
    async storedEvents(workspaceId, messageIds) {
      // Queries of the view take longer to plan than queries of these tables, so it is queried only
      // once.
      await until('ClickHouse has all events that ingest accepted', async () => {
        const found = await select<{ message_id: string }>(INSERTED, workspaceId);
        const ids = new Set(found.map(({ message_id }) => message_id));
        return messageIds.isSubsetOf(ids);
      });
      return select<StoredEvent>(EVENTS, workspaceId);
    },
    async close() {
      await Promise.all([pool.end(), clickhouse.close()]);
    },
  };
}

const INSERTED = ['events_raw', 'events_late']
  .map(table => `SELECT message_id FROM ${table} WHERE workspace_id = {workspaceId:UUID}`)
  .join(' UNION DISTINCT ');
const EVENTS = 'SELECT * FROM events WHERE workspace_id = {workspaceId:UUID}';

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + WAIT_MAX_MS;
  while (!(await isSo())) {
    if (performance.now() > endMs)
      throw new Error(`Timed out after ${WAIT_MAX_MS / 1000} s waiting until ${what}.`);
    await wait(POLL_MS);
  }
}

async function insertWorkspace(pool: pg.Pool): Promise<Workspace> {
  const [organizationId, workspaceId, propertyId] = [uuidv7(), uuidv7(), uuidv7()];
  const writeKey = `wk_kit_${randomBytes(18).toString('base64url')}`;
  await pool.query(
    `INSERT INTO cells (id, slug, region) VALUES ($1, 'default', 'local')
     ON CONFLICT (slug) DO NOTHING`,
    [uuidv7()],
  );
  await pool.query(`INSERT INTO organizations (id, name) VALUES ($1, 'Conformance kit')`, [
    organizationId,
  ]);
  await pool.query(
    `INSERT INTO workspaces (id, organization_id, cell_id, name)
     SELECT $1, $2, id, 'Conformance kit' FROM cells WHERE slug = 'default'`,
    [workspaceId, organizationId],
  );
  await pool.query(`INSERT INTO properties (id, workspace_id, name) VALUES ($1, $2, 'App')`, [
    propertyId,
    workspaceId,
  ]);
  await pool.query(
    `INSERT INTO sdk_keys (id, workspace_id, name, write_key) VALUES ($1, $2, 'Kit', $3)`,
    [uuidv7(), workspaceId, writeKey],
  );
  return { workspaceId, propertyId, writeKey };
}

async function insertInApp(
  pool: pg.Pool,
  { workspaceId }: Workspace,
  userId: string,
): Promise<InApp> {
  const [campaignId, widgetCampaignId, stepExecutionId] = [uuidv7(), uuidv7(), uuidv7()];
  await pool.query(
    `INSERT INTO campaigns (id, workspace_id, name, type, status, surfaces, content, priority,
       consent_purpose, variants)
     VALUES ($1, $2, 'Kit', 'banner', 'LIVE', '{}', '{"title": "Hello"}', 1, 'service', '[]')`,
    [campaignId, workspaceId],
  );
  await pool.query(
    `INSERT INTO widget_step_executions
       (id, workspace_id, user_id, campaign_id, name, type, surfaces, content, priority, consent_purpose)
     VALUES ($1, $2, $3, $4, 'Kit', 'nps', '{}', '{"question": "How was it?"}', 5, 'service')`,
    [stepExecutionId, workspaceId, userId, widgetCampaignId],
  );
  return { campaignId, widgetCampaignId, stepExecutionId };
}

/**
 * An empty batch stores nothing. Its error shows whether the key is known, because ingest checks
 * the key first.
 */
async function isKnown(ingestUrl: string, writeKey: string): Promise<boolean> {
  const answer = await fetch(`${ingestUrl}/v1/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ writeKey, sentAt: new Date().toISOString(), batch: [] }),
  });
  return ((await answer.json()) as { code?: string }).code === 'EMPTY_BATCH';
}
