import type { Context } from '../platform/context.ts';
import { workspaceReads } from '../platform/database/entity-reads.ts';
import { kysely } from '../platform/database/kysely.ts';
import { AnalystLogin } from './analyst-login.entity.ts';

export const analystLogins = workspaceReads(AnalystLogin);

/** The address that analysts connect to; null if none is configured for the cell of the workspace. */
export async function analystUrl(
  context: Context,
  { workspaceId }: Pick<AnalystLogin, 'workspaceId'>,
): Promise<string | null> {
  const cell = await kysely(await context.read())
    .selectFrom('workspaces')
    .innerJoin('cells', 'cells.id', 'workspaces.cellId')
    .where('workspaces.id', '=', workspaceId)
    .select('cells.slug')
    .executeTakeFirst();
  return (cell && context.deps.config.analystUrls[cell.slug]) ?? null;
}
