import { Property } from '../../schema/entities/property.ts';
import type { PropertyCreate } from '../../schema/wire/property.ts';
import { workspaceOf } from '../access/permit.ts';
import { reject } from '../rejected.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { ActionScope } from './run-action.ts';

/** Ingest keeps all properties of all tenants in memory. */
const PROPERTIES_MAX = 100;

/** A further site or app of the viewer's workspace; ingest knows it within a second. */
export async function propertyCreate(
  scope: ActionScope,
  { name }: PropertyCreate,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `properties of ${workspaceId}`);
  if ((await em.count(Property, { workspaceId })) >= PROPERTIES_MAX) reject('TOO_MANY_PROPERTIES');
  const id = deps.newId();
  const createdAt = new Date(deps.clock.nowMs());
  await em.insert(Property, { id, workspaceId, name, createdAt });
  await audit({
    action: 'property.create',
    subjectType: 'property',
    subjectId: id,
    after: { name },
  });
  return { id };
}
