import type { ProblemCode } from '../../schema/values/problem.ts';

/** The public code of an unexpected error. */
export function faultCode(error: Error): ProblemCode {
  return isConnectionError(error) ? 'UNAVAILABLE' : 'INTERNAL_SERVER_ERROR';
}

/** Error codes of Node, Postgres and jose. The last one means that the issuer did not return its keys. */
const CONNECTION_ERROR =
  /^(?:ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UND_ERR|08|53|57P0|ERR_JWKS_|ERR_JOSE_GENERIC)/;

/** Postgres is unavailable, has no free connection, or the issuer's keys cannot be fetched. A retry can
 * succeed. */
function isConnectionError(error: Error & { code?: string }): boolean {
  return (
    CONNECTION_ERROR.test(error.code ?? '') ||
    CONNECTION_ERROR.test((error.cause as { code?: string } | undefined)?.code ?? '') ||
    error.message === 'timeout exceeded when trying to connect' ||
    error.message === 'Connection terminated unexpectedly' ||
    error.message.startsWith('Connection terminated due to connection timeout')
  );
}
