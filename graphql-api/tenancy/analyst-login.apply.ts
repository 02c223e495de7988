// Makes the logins of one cell's ClickHouse equal to those in Postgres. Each step can be repeated, so a run that
// stopped anywhere is finished by the next one.

import { createHash } from 'node:crypto';
import {
  createStatements,
  dropStatements,
  LOGINS_QUESTION,
  sharedStatements,
  type WarehousePlace,
} from '../../schema/analyst-login/statements.ts';
import { allAddresses } from '../../schema/environment/clickhouse-addresses.ts';
import type { AppDeps } from '../platform/context.ts';
import { kysely, rowsOf, sql } from '../platform/database/kysely.ts';
import { type Administration, administer } from '../platform/warehouse/administer.ts';

type Cell = { readonly cell: string; readonly url: string };

type Login = {
  readonly id: string;
  readonly userName: string;
  readonly passwordHash: string;
  readonly workspaceId: string;
  readonly database: string | null;
  readonly applied: string | null;
  readonly revokedAt: Date | null;
  readonly removedAt: Date | null;
};

export async function applyAnalystLoginsOf(deps: AppDeps, { cell, url }: Cell): Promise<void> {
  const logins = await loginsOf(deps, cell);
  const moved = await movedLoginsOf(deps, cell);
  if (logins.length === 0 && moved.length === 0) return;
  const place = { database: databaseOf(url), cluster: deps.config.clickhouseCluster };
  await administer(url, async warehouse => {
    const there = await databasesByName(warehouse);
    await removeRevoked(deps, warehouse, { logins, place, there });
    for (const login of moved)
      if (there.has(login.userName))
        for (const statement of dropStatements(login, place)) await warehouse.command(statement);
    await addMissing(deps, warehouse, { logins, place, there });
  });
}

type Task = {
  readonly logins: readonly Login[];
  readonly place: WarehousePlace;
  /** The logins that ClickHouse has. */
  readonly there: ReadonlyMap<string, string>;
};

/** Also removes logins that were restored from a backup of ClickHouse. */
async function removeRevoked(
  deps: AppDeps,
  warehouse: Administration,
  { logins, place, there }: Task,
): Promise<void> {
  for (const login of logins) {
    if (!login.revokedAt || (login.removedAt && !there.has(login.userName))) continue;
    for (const statement of dropStatements(login, place)) await warehouse.command(statement);
    if (!login.removedAt) await note(deps, login, { removedAt: new Date(deps.clock.nowMs()) });
  }
}

async function addMissing(
  deps: AppDeps,
  warehouse: Administration,
  { logins, place, there }: Task,
): Promise<void> {
  const version = versionOf(place);
  const wanted = logins.filter(({ revokedAt }) => !revokedAt);
  const missing = wanted.filter(
    ({ applied, userName }) => applied !== version || !there.has(userName),
  );
  if (missing.length === 0) return;
  // If any login is up to date, the shared statements have been applied.
  if (missing.length === wanted.length)
    for (const statement of sharedStatements(place)) await warehouse.command(statement);
  const made: Login[] = [];
  const failures: unknown[] = [];
  for (const login of missing) {
    try {
      for (const statement of createStatements(login, place)) await warehouse.command(statement);
      made.push(login);
    } catch (error) {
      // The other logins are created all the same.
      failures.push(error);
    }
  }
  const databases = await databasesByName(warehouse);
  for (const login of made) {
    const database = databases.get(login.userName);
    if (database !== undefined) await note(deps, login, { applied: version, database });
  }
  if (failures.length > 0) throw failures[0];
}

/** Changes with the statements, so that a release with other tables or limits applies them to all logins. */
function versionOf(place: WarehousePlace): string {
  const example = {
    userName: 'analyst_000000000000',
    passwordHash: ''.padEnd(64, '0'),
    workspaceId: '00000000-0000-0000-0000-000000000000',
  };
  const statements = [...sharedStatements(place), ...createStatements(example, place)];
  return createHash('sha256').update(statements.join('\n')).digest('hex');
}

async function databasesByName(warehouse: Administration): Promise<ReadonlyMap<string, string>> {
  const users = await warehouse.ask<{ name: string; default_database: string }>(LOGINS_QUESTION);
  return new Map(users.map(({ name, default_database: database }) => [name, database]));
}

function databaseOf(url: string): string {
  return decodeURIComponent(new URL(allAddresses(url)[0]!).pathname.slice(1)) || 'default';
}

async function loginsOf({ database }: AppDeps, cell: string): Promise<readonly Login[]> {
  return database.asSystem(em =>
    kysely(em)
      .selectFrom('analyst_logins as login')
      .innerJoin('workspaces', 'workspaces.id', 'login.workspaceId')
      .innerJoin('cells', 'cells.id', 'workspaces.cellId')
      .where('cells.slug', '=', cell)
      .select([
        'login.id',
        'login.userName',
        'login.passwordHash',
        'login.workspaceId',
        'login.database',
        'login.applied',
        'login.revokedAt',
        'login.removedAt',
      ])
      .orderBy('login.createdAt')
      .execute(),
  );
}

/** Logins of workspaces that were moved to another cell, where the login has its rows now. */
async function movedLoginsOf({ database }: AppDeps, cell: string): Promise<readonly Login[]> {
  return database.asSystem(em =>
    rowsOf(
      em,
      sql<Login>`
        SELECT DISTINCT login.* FROM analyst_logins AS login
        JOIN cell_moves AS move ON move.workspace_id = login.workspace_id
        JOIN workspaces ON workspaces.id = login.workspace_id
        JOIN cells ON cells.id IN (move.from_cell_id, move.to_cell_id)
        WHERE cells.slug = ${cell} AND cells.id <> workspaces.cell_id`,
    ),
  );
}

async function note(
  { database }: AppDeps,
  { id }: Login,
  changes: Partial<Pick<Login, 'applied' | 'database' | 'removedAt'>>,
): Promise<void> {
  await database.asSystem(em =>
    kysely(em).updateTable('analyst_logins').set(changes).where('id', '=', id).execute(),
  );
}
