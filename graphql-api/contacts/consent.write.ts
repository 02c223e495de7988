import { countOf } from '../platform/database/count-of.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { Consent } from './consent.entity.ts';

export type ConsentChange = {
  readonly purpose: string;
  readonly status: 'GRANTED' | 'DENIED';
  readonly source: string;
};

/** Limited because every in-app request of the person reads all of them. */
const CONSENTS_MAX = 100;

/**
 * Writes one consent of a contact that the transaction has locked. A repeat with the same status
 * and source is a no-op. Any change increments the version; the audit log keeps the earlier values.
 */
export async function writeConsent(
  { em, deps, audit }: ActionScope,
  contact: { readonly id: string; readonly workspaceId: string },
  { purpose, status, source }: ConsentChange,
): Promise<void> {
  const { id: contactId, workspaceId } = contact;
  const known = await em.findOne(Consent, { contactId, purpose, workspaceId });
  if (known?.status === status && known.source === source) return;
  const before = known && { status: known.status, source: known.source, version: known.version };
  const version = (known?.version ?? 0) + 1;
  const recordedAt = new Date(deps.clock.nowMs());
  if (known === null) {
    if ((await countOf(em, Consent, { contactId, workspaceId })) >= CONSENTS_MAX)
      reject('TOO_MANY_CONSENTS');
    await em.insert(Consent, {
      contactId,
      purpose,
      workspaceId,
      status,
      source,
      version,
      recordedAt,
    });
  } else {
    Object.assign(known, { status, source, version, recordedAt });
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
