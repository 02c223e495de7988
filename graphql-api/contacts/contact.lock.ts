import { LockMode } from '@mikro-orm/postgresql';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Contact } from './contact.entity.ts';

/** Locks the workspace's contact and returns it without traits. */
export async function lockContact({ em, viewer }: ActionScope, id: string): Promise<Contact> {
  const where = { id, workspaceId: workspaceOf(viewer) };
  const contact = await em.findOne(Contact, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return (
    contact ?? reject('NOT_FOUND', { field: ['id'], message: 'No contact exists with this ID.' })
  );
}
