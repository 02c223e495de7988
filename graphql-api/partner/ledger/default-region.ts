/**
 * The region of an organization without an assigned one. It must equal the default of
 * partner_profiles.
 */
export const DEFAULT_REGION = 'INDIA';
