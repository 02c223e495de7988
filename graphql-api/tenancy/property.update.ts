import { LockMode } from '@mikro-orm/postgresql';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { PropertyUpdate } from './property.contract.ts';
import { Property } from './property.entity.ts';

/** Renames a property of the viewer's workspace. */
export async function propertyUpdate(
  { em, viewer, audit }: ActionScope,
  { id, name }: PropertyUpdate,
): Promise<{ readonly id: string }> {
  const where = { id, workspaceId: workspaceOf(viewer) };
  const property = await em.findOne(Property, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (property === null)
    return reject('NOT_FOUND', { field: ['id'], message: 'No property exists with this ID.' });
  const before = { name: property.name };
  property.name = name;
  await em.flush();
  await audit({
    action: 'property.update',
    subjectType: 'property',
    subjectId: id,
    before,
    after: { name },
  });
  return { id };
}
