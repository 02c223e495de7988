/** Where the console is; its page asks for everything below it. */
export const CONSOLE_PATH = '/console';
