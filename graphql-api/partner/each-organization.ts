import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppDeps } from '../platform/context.ts';

export type Sweep = {
  /** SQL that selects the `id` of the organisations that may have something due. */
  readonly due: string;
  readonly parameters: readonly unknown[];
  /** Aborted: no further organisation. */
  readonly signal?: AbortSignal | undefined;
  /** In a transaction of its own, as the system role; says whether there was something to do. */
  readonly work: (em: EntityManager, organizationId: string) => Promise<boolean>;
};

/** So that a sweep over very many organisations holds neither them all nor a snapshot. */
const PAGE_SIZE = 500;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Goes through what is due, organisation by organisation, and counts those with something to do. */
export async function eachOrganization(
  deps: AppDeps,
  { due, parameters, signal, work }: Sweep,
): Promise<number> {
  const errors: unknown[] = [];
  let count = 0;
  let after: string | undefined = LOWEST_ID;
  while (after !== undefined) {
    const ids: string[] = await pageAfter(deps, due, parameters, after);
    for (const id of ids) {
      signal?.throwIfAborted();
      try {
        if (await deps.database.asSystem(em => work(em, id))) count++;
      } catch (error) {
        deps.log.error({ err: error, organizationId: id }, 'settling a wallet failed');
        errors.push(error);
      }
    }
    after = ids.at(-1);
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} wallets failed`);
  return count;
}

function pageAfter(
  { database }: AppDeps,
  due: string,
  parameters: readonly unknown[],
  after: string,
): Promise<string[]> {
  return database.asSystem(async em => {
    const rows = await em.execute<{ id: string }[]>(
      `SELECT id FROM (${due}) due WHERE id > ?::uuid ORDER BY id LIMIT ${PAGE_SIZE}`,
      [...parameters, after],
    );
    return rows.map(row => row.id);
  });
}
