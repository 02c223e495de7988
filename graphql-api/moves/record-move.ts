import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChange } from '../platform/audit.ts';
import type { AppDeps, Context } from '../platform/context.ts';
import { kysely, rowsOf, sql } from '../platform/database/kysely.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { Move } from './open-moves.ts';

type Scope = { readonly em: EntityManager; readonly viewer: Viewer; readonly deps: AppDeps };

/** Changes the state, unless an operator changed it since `move` was read; with an entry in the audit log. */
export async function transition(
  { deps, requestId }: Context,
  move: Move,
  verb: string,
  work: (scope: Scope) => Promise<void>,
): Promise<void> {
  const { id, workspaceId, organizationId, state } = move;
  const viewer = { userId: move.startedBy, organizationId, workspaceId, roles: new Set<never>() };
  await deps.database.asSystem(async em => {
    const [locked] = await rowsOf(
      em,
      sql`SELECT 1 FROM cell_moves WHERE id = ${id} AND state = ${state} FOR UPDATE`,
    );
    if (locked === undefined) return;
    await work({ em, viewer, deps });
    const change = { action: `cell_move.${verb}`, subjectId: id };
    const after = { from: move.fromSlug, to: move.toSlug };
    await recordChange({ em, viewer, deps, requestId }, { ...change, after });
  });
}

/** Writes what the job has observed. Never changes the state. */
export async function writeMove(
  { deps }: Context,
  move: Pick<Move, 'id'>,
  changes: object,
): Promise<void> {
  await deps.database.asSystem(em => changeMove(em, move, changes));
}

export async function changeMove(
  em: EntityManager,
  { id }: Pick<Move, 'id'>,
  changes: object,
): Promise<void> {
  await kysely(em).updateTable('cell_moves').set(changes).where('id', '=', id).execute();
}

export async function addProgress(
  em: EntityManager,
  { id }: Pick<Move, 'id'>,
  { compared, copied }: { readonly compared: number; readonly copied: number },
): Promise<void> {
  await rowsOf(
    em,
    sql`UPDATE cell_moves SET rows_compared = rows_compared + ${compared}, rows_copied = rows_copied + ${copied}
        WHERE id = ${id}`,
  );
}
