/**
 * The account ID of the platform's own merchant account. Other accounts have the ID of their
 * workspace.
 */
export const PLATFORM_ACCOUNT_ID = '00000000-0000-0000-0000-000000000000';
