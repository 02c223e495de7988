import type { Context } from '../platform/context.ts';
import { type RowOf, rowsOf, sql } from '../platform/database/kysely.ts';

export type Move = RowOf<'cell_moves'> & {
  readonly organizationId: string;
  readonly fromSlug: string;
  readonly toSlug: string;
};

/** Moves that are not finished, and finished ones whose former cell must stay empty. */
export async function openMoves({ deps }: Context): Promise<readonly Move[]> {
  return deps.database.asSystem(em =>
    rowsOf(
      em,
      sql<Move>`
        SELECT move.*, workspaces.organization_id, former.slug AS from_slug, latter.slug AS to_slug
        FROM cell_moves AS move
        JOIN workspaces ON workspaces.id = move.workspace_id
        JOIN cells AS former ON former.id = move.from_cell_id
        JOIN cells AS latter ON latter.id = move.to_cell_id
        WHERE move.finished_at IS NULL OR (
          -- The workspace may have returned to the cell since, or be about to.
          workspaces.cell_id = CASE move.state WHEN 'DONE' THEN move.to_cell_id ELSE move.from_cell_id END
          AND NOT EXISTS (SELECT FROM cell_moves AS later
            WHERE later.workspace_id = move.workspace_id AND later.started_at > move.started_at))
        ORDER BY move.started_at`,
    ),
  );
}

/** The cell that rows are copied from, and the cell that they are copied to. */
export function cellsOf({ state, fromSlug, toSlug }: Move): { from: string; to: string } {
  return state === 'TAKING_BACK' || state === 'TAKEN_BACK'
    ? { from: toSlug, to: fromSlug }
    : { from: fromSlug, to: toSlug };
}
