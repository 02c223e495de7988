/** Below /console: the address to which the identity provider sends users back. */
export const SIGNED_IN_PATH = '/signed-in';
