/** Far longer than any query of the control plane normally takes. */
const STATEMENT_TIMEOUT_MS = 10_000;
/**
 * For a server, a pooler or a network that does not respond, so that Postgres cannot enforce its own limit.
 */
export const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** A pooler without a server lets the first statement of a transaction wait, pgbouncer for two minutes. */
export const BEGIN_TIMEOUT_MS = 5_000;
/** Longer than an action takes, so that an idempotent repeat waits and gets its result. */
const LOCK_TIMEOUT_MS = 5_000;
/** Limits how long a leaked transaction holds its locks and its snapshot. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

/**
 * The settings of each transaction, in the message that begins it. `role` is that of a login that has
 * to switch to it.
 */
export function transactionSettings(role: string | undefined): string {
  return [
    `SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
    `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS}`,
    ...(role === undefined ? [] : [`SET LOCAL ROLE ${role}`]),
  ].join('; ');
}
