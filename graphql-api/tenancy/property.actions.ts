import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';
import { changeEntity, lockInWorkspace } from '../platform/change-entity.ts';
import { countOf } from '../platform/database/count-of.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Property } from './property.entity.ts';

/** Limited because ingest keeps the properties of all tenants in memory. */
const PROPERTIES_MAX = 100;
const NAME_CHARACTERS_MAX = 100;

export const propertyCreateContract = z.strictObject({ name: requiredText(NAME_CHARACTERS_MAX) });
export const propertyUpdateContract = propertyCreateContract.extend({ id: z.uuid() });

/** Creates a property in the viewer's workspace. Ingest accepts its ID within a second. */
export async function propertyCreate(
  scope: ActionScope,
  { name }: z.output<typeof propertyCreateContract>,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `properties of ${workspaceId}`);
  if ((await countOf(em, Property, { workspaceId })) >= PROPERTIES_MAX)
    reject('TOO_MANY_PROPERTIES');
  const id = deps.newId();
  const createdAt = new Date(deps.clock.nowMs());
  await em.insert(Property, { id, workspaceId, name, createdAt });
  await audit({ action: 'property.create', subjectId: id, after: { name } });
  return { id };
}

/** Renames a property of the viewer's workspace. */
export async function propertyUpdate(
  scope: ActionScope,
  { id, name }: z.output<typeof propertyUpdateContract>,
): Promise<{ readonly id: string }> {
  const property = await lockInWorkspace(scope, Property, id, 'property');
  const shown = ({ name }: Property) => ({ name });
  return changeEntity(scope, property, { name }, { action: 'property.update', shown });
}
