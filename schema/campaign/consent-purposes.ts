// What a person must have agreed to before they are shown something.

/** Purposes with a meaning here; operators may use others of their own. */
export const CONSENT_PURPOSES = [
  'marketing',
  'personalization',
  'research',
  'service',
  'transactional',
] as const;

/** Needed for what the person already uses or bought. All others, unknown ones too, promote. */
const NOT_PROMOTIONAL: ReadonlySet<string> = new Set(['service', 'transactional']);

export type ConsentStatus = 'GRANTED' | 'DENIED';
export type ConsentReason = 'CONSENT_DENIED' | 'CONTACT_SUPPRESSED' | 'CONSENT_UNKNOWN';

export function isPromotional(purpose: string): boolean {
  return !NOT_PROMOTIONAL.has(purpose);
}

/** Why a person isn't shown something of this purpose; undefined when they may be. */
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
