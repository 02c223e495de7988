// Records consents. Ingest reads them on every in-app request.

import { LockMode } from '@mikro-orm/postgresql';
import { lockInWorkspace } from '../platform/change-entity.ts';
import { countOf } from '../platform/database/count-of.ts';
import { workspaceOf } from '../platform/permit.ts';
import { Rejected, reject, rejection } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { ConsentBulkSet, ConsentSet } from './consent.contract.ts';
import { Consent } from './consent.entity.ts';
import { Contact } from './contact.entity.ts';

/** Limited because every in-app request of the person reads all of them. */
const CONSENTS_MAX = 100;

export async function consentSet(
  scope: ActionScope,
  { id, ...change }: ConsentSet,
): Promise<{ readonly id: string; readonly purpose: string }> {
  const contact = await lockInWorkspace(scope, Contact, id, 'contact');
  await writeConsent(scope, contact, change);
  return { id, purpose: change.purpose };
}

/** Records the consents of several people, all or none. */
export async function consentBulkSet(
  scope: ActionScope,
  { consents }: ConsentBulkSet,
): Promise<{ readonly ids: readonly string[] }> {
  const workspaceId = workspaceOf(scope.viewer);
  const userIds = [...new Set(consents.map(({ userId }) => userId))];
  // Locks contacts in a fixed order, as ingest does, to avoid deadlocks.
  const locked = await scope.em.find(
    Contact,
    { workspaceId, userId: { $in: userIds } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { userId: 'asc' } },
  );
  const contacts = new Map(locked.map(contact => [contact.userId, contact]));
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

/**
 * Writes one consent of a contact that the transaction has locked. A repeat with the same status
 * and source is a no-op. Any change increments the version; the audit log keeps the earlier values.
 */
async function writeConsent(
  { em, deps, audit }: ActionScope,
  { id: contactId, workspaceId }: Contact,
  { purpose, status, source }: Omit<ConsentSet, 'id'>,
): Promise<void> {
  const known = await em.findOne(Consent, { contactId, purpose, workspaceId });
  if (known?.status === status && known.source === source) return;
  const before = known && { status: known.status, source: known.source, version: known.version };
  const version = (known?.version ?? 0) + 1;
  const change = { status, source, version, recordedAt: new Date(deps.clock.nowMs()) };
  if (known === null) {
    if ((await countOf(em, Consent, { contactId, workspaceId })) >= CONSENTS_MAX)
      reject('TOO_MANY_CONSENTS');
    await em.insert(Consent, { contactId, purpose, workspaceId, ...change });
  } else {
    Object.assign(known, change);
    await em.flush();
  }
  await audit({
    action: 'consent.set',
    subjectType: 'contact',
    subjectId: contactId,
    ...(before && { before: { purpose, ...before } }),
    after: { purpose, status, source, version },
  });
}
