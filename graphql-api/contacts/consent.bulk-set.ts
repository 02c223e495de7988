import { LockMode } from '@mikro-orm/postgresql';
import { workspaceOf } from '../platform/permit.ts';
import { Rejected, rejection } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { ConsentBulkSet } from './consent.contract.ts';
import { writeConsent } from './consent.write.ts';
import { Contact } from './contact.entity.ts';

/** Records the consents of several people, all or none. */
export async function consentBulkSet(
  scope: ActionScope,
  { consents }: ConsentBulkSet,
): Promise<{ readonly ids: readonly string[] }> {
  const workspaceId = workspaceOf(scope.viewer);
  const userIds = [...new Set(consents.map(({ userId }) => userId))];
  // Locks contacts in a fixed order, as ingest does, to avoid deadlocks.
  const found = await scope.em.find(
    Contact,
    { workspaceId, userId: { $in: userIds } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { userId: 'asc' } },
  );
  const contacts = new Map(found.map(contact => [contact.userId, contact]));
  const [first, ...others] = consents.flatMap(({ userId }, index) =>
    contacts.has(userId) ? [] : [unknownPerson(index)],
  );
  if (first !== undefined) throw new Rejected([first, ...others]);
  for (const { userId, ...change } of consents)
    await writeConsent(scope, contacts.get(userId)!, change);
  return { ids: userIds.map(userId => contacts.get(userId)!.id) };
}

function unknownPerson(index: number) {
  const field = ['consents', `${index}`, 'userId'];
  return rejection('NOT_FOUND', { field, message: 'No contact exists with this user ID.' });
}
