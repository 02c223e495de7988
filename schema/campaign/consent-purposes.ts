// The consent that a person must have given before content is shown to them.

/** Purposes for products that the person already uses or bought. All other purposes are
 * promotional, including unknown ones. */
const NOT_PROMOTIONAL: ReadonlySet<string> = new Set(['service', 'transactional']);

export type ConsentStatus = 'GRANTED' | 'DENIED';
export type ConsentReason = 'CONSENT_DENIED' | 'CONTACT_SUPPRESSED' | 'CONSENT_UNKNOWN';

function isPromotional(purpose: string): boolean {
  return !NOT_PROMOTIONAL.has(purpose);
}

/** Why content of this purpose is not shown to the person; undefined if it can be. */
export function consentReason(
  purpose: string,
  status: ConsentStatus | undefined,
  isSuppressed: boolean,
): ConsentReason | undefined {
  if (status === 'DENIED') return 'CONSENT_DENIED';
  if (!isPromotional(purpose)) return undefined;
  if (isSuppressed) return 'CONTACT_SUPPRESSED';
  return status === 'GRANTED' ? undefined : 'CONSENT_UNKNOWN';
}
