/** The path of the console. All its files are below it. */
export const CONSOLE_PATH = '/console';
/** The path at which the console, before sign-in, reads where users sign in. */
export const IDENTITY_PROVIDER_PATH = `${CONSOLE_PATH}/identity-provider`;
