/** The message from the page to the worker: there may be reports to send, and there is a connection. */
export const FLUSH = 'engagement-push-flush';
