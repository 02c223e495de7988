import { Organization } from '../../schema/entities/organization.ts';
import type { Context } from '../context.ts';

/** The viewer's own, if it is among the ids. */
export async function organizationsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Organization[]> {
  const ownId = context.viewer?.organizationId;
  if (ownId === undefined || !ids.includes(ownId)) return [];
  const em = await context.read();
  return em.find(Organization, { id: ownId });
}
