import { changeEntity, lockInWorkspace } from '../platform/change-entity.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { ContactId } from './contact.contract.ts';
import { Contact } from './contact.entity.ts';

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
  const contact = await lockInWorkspace(scope, Contact, id, 'contact');
  if ((contact.suppressedAt == null) === (suppressedAt === null)) return { id };
  const changes = { suppressedAt, updatedAt: new Date(scope.deps.clock.nowMs()) };
  return changeEntity(scope, contact, changes, {
    action: suppressedAt === null ? 'contact.unsuppress' : 'contact.suppress',
    shown: ({ suppressedAt = null }) => ({ suppressedAt }),
  });
}
