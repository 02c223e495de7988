import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../context.ts';
import { permitted } from '../permit.ts';

/**
 * A read that sees every organisation, for platform admins only. A short transaction of its own:
 * whoever holds the connection of a request's snapshot waits here, and nobody here waits for one of
 * those, so the two pools cannot stop each other.
 */
export async function readAcrossTenants<T>(
  context: Context,
  read: (em: EntityManager) => Promise<T>,
): Promise<T> {
  permitted(context.viewer, 'platformAdmin');
  return context.deps.database.asSystem(read);
}
