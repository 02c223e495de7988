/** What the page tells the worker: there may be reports to send, and a connection. */
export const FLUSH = 'engagement-push-flush';
