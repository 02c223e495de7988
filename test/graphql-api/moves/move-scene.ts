// Two cells, each with its own ClickHouse, one ingest node for both, and the control plane on a separate database, so
// that no other process runs the job.

import { afterAll, beforeAll, type TestContext } from 'vitest';
import {
  workspaceMoveFinish,
  workspaceMoveStart,
  workspaceMoveTakeBack,
} from '../../../graphql-api/moves/cell-move.actions.ts';
import { moveWorkspaces } from '../../../graphql-api/moves/move-workspaces.job.ts';
import { createContext } from '../../../graphql-api/platform/context.ts';
import { runPlatformAction } from '../../../graphql-api/platform/run-action.ts';
import { eventOf, newMessageId } from '../../harness/batch.ts';
import { expectAccepted, postEvents, untilKnown } from '../../harness/batch-client.ts';
import { type FaultProxy, startFaultProxy } from '../../harness/fault-proxy.ts';
import { type IngestProcess, startIngest } from '../../harness/ingest-process.ts';
import { type OwnClickHouse, useClickHouse } from '../../harness/own-clickhouse.ts';
import { ownDatabase } from '../../harness/own-database.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { createDeps, type TestDeps } from '../harness/deps.ts';

export const OTHER_CELL = 'other';
const EVENTS_PER_BATCH = 5;
const SENDERS = 2;
const OPERATOR = 'operator';

export type MoveScene = {
  readonly deps: TestDeps;
  readonly ingest: IngestProcess;
  /** The ClickHouse of the cell `default`, and that of `other`. */
  readonly former: OwnClickHouse;
  readonly other: OwnClickHouse;
  /** Between ingest and `former`, and between the job and `other`. */
  readonly ingestToFormer: FaultProxy;
  readonly jobToOther: FaultProxy;
  /** For a process of its own that runs the job. */
  readonly env: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
};

export function useMoveScene(): () => MoveScene {
  const [former, other] = [useClickHouse(), useClickHouse()];
  let scene: MoveScene | undefined;
  beforeAll(async () => {
    scene = await openScene(former(), other());
  });
  afterAll(async () => {
    if (scene === undefined) return;
    await scene.ingest.stop();
    await scene.deps.warehouses.close();
    await scene.deps.database.close();
    await Promise.all([scene.ingestToFormer.close(), scene.jobToOther.close()]);
  });
  return () => {
    if (scene === undefined) throw new Error('the scene opens in beforeAll; use it in tests only');
    return scene;
  };
}

async function openScene(former: OwnClickHouse, other: OwnClickHouse): Promise<MoveScene> {
  const urls = await ownDatabase();
  const ingestToFormer = await startFaultProxy(former.url);
  const jobToOther = await startFaultProxy(other.url);
  const ingest = await startIngest({
    env: {
      DATABASE_SYSTEM_URL: urls.system,
      CLICKHOUSE_URL: ingestToFormer.url,
      CLICKHOUSE_URL_OTHER: other.url,
    },
  });
  const env = {
    DATABASE_APP_URL: urls.app,
    DATABASE_SYSTEM_URL: urls.system,
    CLICKHOUSE_URL: former.url,
    CLICKHOUSE_URL_OTHER: jobToOther.url,
    INGEST_URL: ingest.url,
    INTERNAL_TOKEN: 'test-token-of-at-least-32-characters',
  };
  await sql(
    `INSERT INTO cells (id, slug, region) VALUES (gen_random_uuid(), $1, 'elsewhere')`,
    [OTHER_CELL],
    urls.owner,
  );
  const deps = await createDeps(env);
  return {
    deps,
    ingest,
    former,
    other,
    ingestToFormer,
    jobToOther,
    env,
    databaseUrl: urls.owner,
  };
}

export async function newTenant({ ingest, databaseUrl }: MoveScene): Promise<Tenant> {
  const tenant = await createTenant({ databaseUrl });
  await untilKnown(ingest, tenant.writeKey);
  return tenant;
}

/** Runs the job until no move can get further without waiting for its next run. */
export async function runMoves({ deps }: Pick<MoveScene, 'deps'>): Promise<void> {
  const context = createContext(deps, 'test', undefined);
  const dueAt = new Date(deps.clock.nowMs()).toISOString();
  await moveWorkspaces.run(context, { dueAt }, new AbortController().signal);
  await context.finish();
}

export function operatorOf({ deps }: Pick<MoveScene, 'deps'>, { workspaceId }: Tenant) {
  const act = async (action: typeof workspaceMoveFinish | 'start') => {
    const context = createContext(deps, 'test', {
      userId: OPERATOR,
      organizationId: workspaceId,
      workspaceId: undefined,
      roles: new Set(['platform_admin']),
    });
    try {
      if (action === 'start')
        return await runPlatformAction(context, workspaceMoveStart, {
          workspaceId,
          cell: OTHER_CELL,
        });
      return await runPlatformAction(context, action, { workspaceId });
    } finally {
      await context.finish();
    }
  };
  return {
    start: () => act('start'),
    takeBack: () => act(workspaceMoveTakeBack),
    finish: () => act(workspaceMoveFinish),
  };
}

export type StoredMove = {
  readonly state: string;
  readonly waits_for: string | null;
  readonly rows_copied: string;
  readonly finished_at: Date | null;
  readonly report: readonly { table: string; rows: number; missing: number }[];
  readonly cell: string;
};

export async function moveOf(
  { databaseUrl }: MoveScene,
  { workspaceId }: Tenant,
): Promise<StoredMove> {
  const [move] = await sql(
    `SELECT move.*, cells.slug AS cell FROM cell_moves AS move
     JOIN workspaces ON workspaces.id = move.workspace_id JOIN cells ON cells.id = workspaces.cell_id
     WHERE move.workspace_id = $1 ORDER BY move.started_at DESC LIMIT 1`,
    [workspaceId],
    databaseUrl,
  );
  return move as StoredMove;
}

export async function sendBatch({ ingest }: MoveScene, tenant: Tenant): Promise<string[]> {
  const ids = Array.from({ length: EVENTS_PER_BATCH }, newMessageId);
  expectAccepted(
    await postEvents(
      ingest,
      tenant.writeKey,
      ids.map(id => eventOf(id)),
    ),
    ids.length,
  );
  return ids;
}

/** Sends batches until it is stopped. Each must be accepted: a move refuses no request. */
export function startTraffic(scene: MoveScene, tenant: Tenant, { onTestFinished }: TestContext) {
  const acknowledged: string[] = [];
  const refusals: unknown[] = [];
  let isStopping = false;
  async function sendMany(): Promise<void> {
    while (!isStopping) {
      try {
        acknowledged.push(...(await sendBatch(scene, tenant)));
      } catch (error) {
        refusals.push(error);
      }
    }
  }
  const sending = Promise.all(Array.from({ length: SENDERS }, sendMany));
  const stop = async () => {
    isStopping = true;
    await sending;
  };
  onTestFinished(stop);
  return { acknowledged, refusals, stop };
}
