import type { EntityManager } from '@mikro-orm/postgresql';
import type { RawBuilder } from 'kysely';
import type { AppDeps } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';

type Sweep = {
  /** Selects the `id` of each organization that may have due work. */
  readonly due: RawBuilder<unknown>;
  /** If aborted, no further organization is processed. */
  readonly signal?: AbortSignal | undefined;
  /** Runs in a transaction of its own as the system role. Returns whether there was work to do. */
  readonly work: (em: EntityManager, organizationId: string) => Promise<boolean>;
};

/** Bounds the memory of a sweep, which also holds no snapshot between pages. */
const PAGE_SIZE = 500;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Runs `work` for each organization with due work. Returns the number of organizations that had
 * work to do.
 */
export async function eachOrganization(
  deps: AppDeps,
  { due, signal, work }: Sweep,
): Promise<number> {
  const errors: unknown[] = [];
  let count = 0;
  let after: string | undefined = LOWEST_ID;
  while (after !== undefined) {
    const ids: string[] = await pageAfter(deps, due, after);
    for (const id of ids) {
      signal?.throwIfAborted();
      try {
        if (await deps.database.asSystem(em => work(em, id))) count++;
      } catch (error) {
        deps.log.error(
          { err: error, organizationId: id },
          'the job failed for one organization, continuing with the next',
        );
        errors.push(error);
      }
    }
    after = ids.at(-1);
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `Organizations for which the job failed: ${errors.length}`);
  return count;
}

function pageAfter(
  { database }: AppDeps,
  due: RawBuilder<unknown>,
  after: string,
): Promise<string[]> {
  return database.asSystem(async em => {
    const rows = await rowsOf(
      em,
      sql<{ id: string }>`
        SELECT id FROM (${due}) due WHERE id > ${after}::uuid ORDER BY id LIMIT ${PAGE_SIZE}`,
    );
    return rows.map(({ id }) => id);
  });
}
