/**
 * Error codes of Node, Postgres, jose and ours. 25006 is a server that accepts no changes, such as a former
 * primary. 40001 is a read on a replica that held up its log for too long. ERR_JOSE_GENERIC means that the issuer did not return its keys.
 */
const CONNECTION_ERROR =
  /^(?:ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UND_ERR|08|25006|40001|53|57P0|ERR_TRANSACTION_NOT_BEGUN|ERR_JWKS_|ERR_JOSE_GENERIC)/;

/** Errors of pg and of its pool, which have no code. */
const CONNECTION_MESSAGE =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout)/;

/** Wrappers of the ORM and of fetch are a few levels deep. */
const CAUSES_MAX = 5;

/** Postgres is unavailable, has no free connection, or the issuer's keys cannot be fetched. A retry can
 * succeed. */
export function isConnectionError(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth++) {
    const { code } = cause as { readonly code?: unknown };
    if (typeof code === 'string' && CONNECTION_ERROR.test(code)) return true;
    if (CONNECTION_MESSAGE.test(cause.message)) return true;
    ({ cause } = cause);
  }
  return false;
}
