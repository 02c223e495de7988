import type { ProblemCode } from '../../schema/values/problem.ts';

/** What is said of what nobody foresaw. */
export function faultCode(error: Error): ProblemCode {
  return isOfConnection(error) ? 'UNAVAILABLE' : 'INTERNAL_SERVER_ERROR';
}

/** As node, Postgres and jose have it: the last is an answer of the issuer that isn't its keys. */
const AWAY =
  /^(?:ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UND_ERR|08|53|57P0|ERR_JWKS_|ERR_JOSE_GENERIC)/;

/** Postgres is away or has no connection to spare, or the issuer's keys can't be had; to try again makes
 * sense. */
function isOfConnection(error: Error & { code?: string }): boolean {
  return (
    AWAY.test(error.code ?? '') ||
    AWAY.test((error.cause as { code?: string } | undefined)?.code ?? '') ||
    error.message === 'timeout exceeded when trying to connect' ||
    error.message === 'Connection terminated unexpectedly' ||
    error.message.startsWith('Connection terminated due to connection timeout')
  );
}
