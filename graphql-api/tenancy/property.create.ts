import { countOf } from '../platform/database/count-of.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { PropertyCreate } from './property.contract.ts';
import { Property } from './property.entity.ts';

/** Limited because ingest keeps the properties of all tenants in memory. */
const PROPERTIES_MAX = 100;

/** Creates a property in the viewer's workspace. Ingest accepts its ID within a second. */
export async function propertyCreate(
  scope: ActionScope,
  { name }: PropertyCreate,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `properties of ${workspaceId}`);
  if ((await countOf(em, Property, { workspaceId })) >= PROPERTIES_MAX)
    reject('TOO_MANY_PROPERTIES');
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
