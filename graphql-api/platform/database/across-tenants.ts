import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../context.ts';
import { permitted } from '../permit.ts';

/**
 * Reads across organizations, for platform admins only. Uses a short transaction of its own: a request
 * that holds a connection of the application pool can wait for the system pool, but never the other
 * way around, so the pools cannot deadlock.
 */
export async function readAcrossTenants<T>(
  context: Context,
  read: (em: EntityManager) => Promise<T>,
): Promise<T> {
  permitted(context.viewer, 'platformAdmin');
  return context.deps.database.asSystem(read);
}
