/** Of purposes that need no consent: the same words for a person and in the form of a campaign. */
export const NO_CONSENT_NEEDED =
  'For service and transactional, it is enough that they have not denied consent.';
