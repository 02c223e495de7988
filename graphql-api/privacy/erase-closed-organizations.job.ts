import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChange } from '../platform/audit.ts';
import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { personHash } from './person-key.ts';
import { PERSONAL_TABLES } from './postgres-tables.ts';
import { WAREHOUSE_TABLES } from './warehouse-tables.ts';

/** Rows per transaction, which keeps transactions short. */
const ROWS_MAX = 5_000;
const CONTACTS_MAX = 1_000;
/** Each mutation rewrites the parts that have rows of the workspace. */
const TIMEOUT_SECONDS = 6 * 60 * 60;
const ACTOR_ID = 'erase-closed-organizations';

/** Rows that refuse DELETE and are removed, or redacted, by a function; contacts go with them. */
const BY_PERSON: ReadonlySet<string> = new Set(['enrolments', 'contacts', 'audit_log']);
/** These rows are not data of people, but they must no longer be used to send or receive data. */
const SECRETS = ['gateway_secrets', 'webhook_secrets'];

type Closed = { readonly id: string; readonly workspaceIds: readonly string[] };

/** Erases the people of closed organizations after the grace period. Safe to repeat. */
export const eraseClosedOrganizations = defineJob({
  name: 'erase-closed-organizations',
  schedule: '37 * * * *',
  data: scheduledData,
  timeoutSeconds: TIMEOUT_SECONDS,
  async run(context, _data, signal) {
    const due = await dueOrganizations(context);
    const failures: unknown[] = [];
    for (const organization of due) {
      signal.throwIfAborted();
      // A cell that is not available must not stop the others.
      try {
        await erase(context, organization, signal);
      } catch (error) {
        failures.push(error);
      }
    }
    context.note({ organizations: due.length, failed: failures.length });
    if (failures.length > 0)
      throw new AggregateError(failures, 'some closed organizations were not erased');
  },
});

async function dueOrganizations({ deps }: Context): Promise<Closed[]> {
  return deps.database.asSystem(em =>
    rowsOf(
      em,
      sql<Closed>`
        SELECT id, array(SELECT id FROM workspaces
                         WHERE organization_id = organizations.id ORDER BY id) AS workspace_ids
        FROM organizations
        WHERE erase_at <= ${new Date(deps.clock.nowMs())} AND erased_at IS NULL ORDER BY erase_at`,
    ),
  );
}

async function erase(
  context: Context,
  { id, workspaceIds }: Closed,
  signal: AbortSignal,
): Promise<void> {
  for (const workspaceId of workspaceIds) {
    await eraseFromPostgres(context, workspaceId, signal);
    await eraseFromWarehouse(context, id, workspaceId, signal);
  }
  const { deps, requestId } = context;
  const erasedAt = new Date(deps.clock.nowMs());
  const viewer = {
    userId: ACTOR_ID,
    organizationId: id,
    workspaceId: undefined,
    roles: new Set<never>(),
  };
  await deps.database.asSystem(async em => {
    await rowsOf(em, sql`DELETE FROM idempotency_records WHERE organization_id = ${id}`);
    await rowsOf(em, sql`UPDATE organizations SET erased_at = ${erasedAt} WHERE id = ${id}`);
    await recordChange(
      { em, viewer, deps, requestId },
      {
        action: 'organization.erase',
        subjectId: id,
        after: { workspaces: workspaceIds.length },
      },
    );
  });
}

/** In the order of `PERSONAL_TABLES`: rows that refer to other rows come first. */
async function eraseFromPostgres(
  { deps: { database, clock } }: Context,
  workspaceId: string,
  signal: AbortSignal,
): Promise<void> {
  const names = PERSONAL_TABLES.map(({ name }) => name);
  const tables = names.filter(name => !BY_PERSON.has(name) && name !== 'idempotency_records');
  await repeated(signal, () =>
    database.asSystem(em => erasePeople(em, workspaceId, new Date(clock.nowMs()))),
  );
  for (const table of [...tables, ...SECRETS])
    await repeated(signal, () => database.asSystem(em => deleteSome(em, table, workspaceId)));
}

async function repeated(signal: AbortSignal, work: () => Promise<boolean>): Promise<void> {
  do signal.throwIfAborted();
  while (await work());
}

/** Whether there may be more. */
async function deleteSome(em: EntityManager, table: string, workspaceId: string): Promise<boolean> {
  const deleted = await rowsOf(
    em,
    sql`DELETE FROM ${sql.table(table)} WHERE ctid IN (
          SELECT ctid FROM ${sql.table(table)} WHERE workspace_id = ${workspaceId} LIMIT ${ROWS_MAX})
        RETURNING 1`,
  );
  return deleted.length === ROWS_MAX;
}

/** Deletes some contacts, with all rows that refer to them. */
async function erasePeople(em: EntityManager, workspaceId: string, now: Date): Promise<boolean> {
  const contacts = await rowsOf(
    em,
    sql<{ id: string }>`
      SELECT id FROM contacts WHERE workspace_id = ${workspaceId} ORDER BY id LIMIT ${CONTACTS_MAX}`,
  );
  const ids = contacts.map(({ id }) => id);
  const hashes = ids.map(id => personHash(workspaceId, id));
  await rowsOf(em, sql`SELECT erase_enrolments(${workspaceId}, ${hashes}::text[], ${now})`);
  await rowsOf(em, sql`SELECT redact_audit_entries(${workspaceId}, ${hashes}::text[])`);
  await rowsOf(em, sql`DELETE FROM contacts WHERE id = ANY (${ids}::uuid[])`);
  return contacts.length === CONTACTS_MAX;
}

async function eraseFromWarehouse(
  { deps: { warehouses } }: Context,
  organizationId: string,
  workspaceId: string,
  signal: AbortSignal,
): Promise<void> {
  for (const warehouse of await warehouses.copies(organizationId, workspaceId, signal))
    for (const { name } of WAREHOUSE_TABLES) {
      signal.throwIfAborted();
      const [counted] = await warehouse.rows<{ rows: number }>(
        `SELECT count() AS rows FROM ${name} WHERE workspace_id = {workspaceId:UUID}`,
      );
      // A mutation writes even if it matches nothing.
      if (Number(counted?.rows ?? 0) > 0) await warehouse.remove(name, '1');
    }
}
