import type { ActionScope } from '../platform/run-action.ts';
import type { ConsentSet } from './consent.contract.ts';
import { writeConsent } from './consent.write.ts';
import { lockContact } from './contact.lock.ts';

/** Records what a person agreed to, or no longer does; ingest asks for it at each request. */
export async function consentSet(
  scope: ActionScope,
  { id, purpose, status, source }: ConsentSet,
): Promise<{ readonly id: string; readonly purpose: string }> {
  const contact = await lockContact(scope, id);
  await writeConsent(scope, contact, { purpose, status, source });
  return { id, purpose };
}
