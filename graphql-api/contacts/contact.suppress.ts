import type { ActionScope } from '../platform/run-action.ts';
import type { ContactId } from './contact.contract.ts';
import { lockContact } from './contact.lock.ts';

/**
 * Suppresses a contact, who then receives no journey messages and no campaigns, except those with the purpose
 * `service` or `transactional`, regardless of consent.
 */
export function contactSuppress(
  scope: ActionScope,
  { id }: ContactId,
): Promise<{ readonly id: string }> {
  return setSuppressed(scope, id, new Date(scope.deps.clock.nowMs()));
}

/** Ends the suppression, so that the contact's earlier consents apply again. */
export function contactUnsuppress(
  scope: ActionScope,
  { id }: ContactId,
): Promise<{ readonly id: string }> {
  return setSuppressed(scope, id, null);
}

async function setSuppressed(
  scope: ActionScope,
  id: string,
  suppressedAt: Date | null,
): Promise<{ readonly id: string }> {
  const contact = await lockContact(scope, id);
  const before = contact.suppressedAt ?? null;
  if ((before === null) === (suppressedAt === null)) return { id };
  contact.suppressedAt = suppressedAt;
  contact.updatedAt = new Date(scope.deps.clock.nowMs());
  await scope.em.flush();
  await scope.audit({
    action: suppressedAt === null ? 'contact.unsuppress' : 'contact.suppress',
    subjectType: 'contact',
    subjectId: id,
    before: { suppressedAt: before?.toISOString() ?? null },
    after: { suppressedAt: suppressedAt?.toISOString() ?? null },
  });
  return { id };
}
