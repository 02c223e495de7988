/** The path of the console. All its files are below it. */
export const CONSOLE_PATH = '/console';
/** The address at which the console reads where users sign in, before anyone has. */
export const IDENTITY_PROVIDER_PATH = `${CONSOLE_PATH}/identity-provider`;
