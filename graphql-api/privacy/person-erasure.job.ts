import { z } from 'zod';
import { recordChange } from '../platform/audit.ts';
import type { Context } from '../platform/context.ts';
import { kysely, type RowOf, rowsOf, sql } from '../platform/database/kysely.ts';
import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import {
  addPass,
  countRows,
  eraseFromWarehouse,
  eraseRows,
  openReceipt,
  type TableReceipt,
} from './erase-rows.ts';
import { afterPass, LEASE_MS } from './erasure-states.ts';
import { hasDelivered, ingestReceipt } from './ingest-receipt.ts';
import type { PersonKey } from './person-key.ts';

type Erasure = RowOf<'person_erasures'> & { readonly organizationId: string };

/** A pass reads every row of the workspace. */
const TIMEOUT_SECONDS = 60 * 60;

/** The first pass of an erasure that an owner requested. Safe to repeat. */
export const erasePerson = defineJob({
  name: 'erase-person',
  data: z.object({ erasureId: z.guid() }),
  timeoutSeconds: TIMEOUT_SECONDS,
  async run(context, { erasureId }, signal) {
    const [erasure] = await erasuresWhere(
      context,
      sql`erasure.id = ${erasureId} AND erasure.state IN ('QUEUED', 'RUNNING')`,
    );
    if (erasure !== undefined) await runPass(context, erasure, signal);
  },
});

/** The later passes, and first passes whose job has failed. */
export const continueErasures = defineJob({
  name: 'continue-erasures',
  schedule: '*/5 * * * *',
  data: scheduledData,
  timeoutSeconds: TIMEOUT_SECONDS,
  async run(context, _data, signal) {
    const now = new Date(context.deps.clock.nowMs());
    const due = await erasuresWhere(context, sql`erasure.next_pass_at <= ${now}`);
    for (const erasure of due) {
      signal.throwIfAborted();
      await runPass(context, erasure, signal);
    }
    context.note({ erasures: due.length });
  },
});

async function erasuresWhere({ deps }: Context, condition: ReturnType<typeof sql>) {
  return deps.database.asSystem(em =>
    rowsOf(
      em,
      sql<Erasure>`
        SELECT erasure.*, workspaces.organization_id FROM person_erasures AS erasure
        JOIN workspaces ON workspaces.id = erasure.workspace_id
        WHERE ${condition} ORDER BY erasure.next_pass_at LIMIT 100`,
    ),
  );
}

async function runPass(context: Context, erasure: Erasure, signal: AbortSignal): Promise<void> {
  const { clock, database, warehouses } = context.deps;
  const { organizationId, workspaceId, nameHashes, deviceHashes } = erasure;
  const person: PersonKey = { workspaceId, nameHashes, deviceHashes };
  const [warehouse, ...copies] = await warehouses.copies(organizationId, workspaceId, signal);
  const reach = { database, warehouse: warehouse! };
  const startedAt = new Date(clock.nowMs());
  const isFirst = erasure.erasedAt === null;
  const found = await countRows(reach, person, signal);
  // Written before anything is deleted, because a repeated first pass must not count only the
  // remaining rows.
  const receipt =
    erasure.receipt.length === 0 ? openReceipt(found) : (erasure.receipt as TableReceipt[]);
  await write(context, erasure.id, {
    receipt: JSON.stringify(receipt),
    state: isFirst ? 'RUNNING' : erasure.state,
    startedAt: erasure.startedAt ?? startedAt,
    nextPassAt: new Date(startedAt.getTime() + LEASE_MS),
  });
  // A move may be copying these rows meanwhile; the next pass finds them.
  for (const copy of copies) await eraseFromWarehouse(copy, person, signal);
  await eraseRows(reach, person, { now: startedAt, signal });
  const left = await countRows(reach, person, signal);
  const cell = await warehouses.cellOf(organizationId, workspaceId);
  const { nodes, askedAtMs } = await context.deps.ingestNodes.ask();
  const sinceMs = askedAtMs - (erasure.erasedAt?.getTime() ?? askedAtMs);
  const isSettled = !isFirst && hasDelivered(nodes, cell, sinceMs);
  const isClean = [...left.values()].every(rows => rows === 0);
  const next = afterPass(erasure, new Date(clock.nowMs()), { isSettled, isClean });
  const passed = addPass(receipt, left, isFirst ? undefined : found);
  const isDone = next.state === 'COMPLETED';
  await write(context, erasure.id, {
    ...next,
    receipt: JSON.stringify([
      ...passed.filter(({ engine }) => engine !== 'INGEST'),
      ...ingestReceipt(nodes, cell, isSettled),
    ]),
    ...(isDone && { nameHashes: [], deviceHashes: [] }),
  });
  if (isFirst || isDone) await recordPass(context, erasure, isDone ? 'completed' : 'erased');
}

async function write({ deps }: Context, id: string, changes: object): Promise<void> {
  await deps.database.asSystem(em =>
    kysely(em).updateTable('person_erasures').set(changes).where('id', '=', id).execute(),
  );
}

async function recordPass({ deps, requestId }: Context, erasure: Erasure, verb: string) {
  const { organizationId, workspaceId, actorId, digest } = erasure;
  const viewer = { userId: actorId, organizationId, workspaceId, roles: new Set<never>() };
  await deps.database.asTenant(organizationId, em =>
    recordChange(
      { em, viewer, deps, requestId },
      {
        action: `person_erasure.${verb}`,
        subjectId: erasure.id,
        after: { digest },
      },
    ),
  );
}
