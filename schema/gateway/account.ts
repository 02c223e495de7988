/** Whose merchant account it is: this for the platform's own, else the workspace's id. */
export const PLATFORM_ACCOUNT_ID = '00000000-0000-0000-0000-000000000000';
