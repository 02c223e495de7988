import type { ActionScope } from '../platform/run-action.ts';
import type { ConsentSet } from './consent.contract.ts';
import { writeConsent } from './consent.write.ts';
import { lockContact } from './contact.lock.ts';

/** Records a consent. Ingest reads it on every in-app request. */
export async function consentSet(
  scope: ActionScope,
  { id, purpose, status, source }: ConsentSet,
): Promise<{ readonly id: string; readonly purpose: string }> {
  const contact = await lockContact(scope, id);
  await writeConsent(scope, contact, { purpose, status, source });
  return { id, purpose };
}
