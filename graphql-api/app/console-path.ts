/** The path of the console. All its files are below it. */
export const CONSOLE_PATH = '/console';
