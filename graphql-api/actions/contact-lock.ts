import { LockMode } from '@mikro-orm/postgresql';
import { Contact } from '../../schema/entities/contact.ts';
import { workspaceOf } from '../access/permit.ts';
import { reject } from '../rejected.ts';
import type { ActionScope } from './run-action.ts';

/** The workspace's contact, locked, without its traits. */
export async function lockContact({ em, viewer }: ActionScope, id: string): Promise<Contact> {
  const where = { id, workspaceId: workspaceOf(viewer) };
  const contact = await em.findOne(Contact, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return contact ?? reject('NOT_FOUND', { field: ['id'], message: 'There is no such contact.' });
}
