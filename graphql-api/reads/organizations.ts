import { Organization } from '../../schema/entities/organization.ts';
import type { Context } from '../context.ts';
import { findRows } from '../database/find-rows.ts';

/** The viewer's own, if it is among the ids. */
export async function organizationsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly Organization[]> {
  const ownId = context.viewer?.organizationId;
  if (ownId === undefined || !ids.includes(ownId)) return [];
  return findRows(await context.read(), Organization, { id: ownId });
}
