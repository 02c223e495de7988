import { type EntityClass, type EntityManager, type FilterQuery, raw } from '@mikro-orm/postgresql';

/**
 * The number of rows that match. `em.count` fails, because the pool returns Postgres's bigint as a
 * bigint.
 */
export async function countOf<T extends object>(
  em: EntityManager,
  entity: EntityClass<T>,
  where: NoInfer<FilterQuery<T>>,
): Promise<number> {
  const query = em
    .createQueryBuilder(entity, 'item')
    .select(raw('count(*)::int AS count') as never);
  const { count } = await query.where(where as never).execute<{ count: number }>('get');
  return count;
}
