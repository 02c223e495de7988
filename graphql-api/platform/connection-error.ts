/** By code. */
const CONNECTION_ERRORS = [
  // Node: the network.
  /^(?:ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UND_ERR)/,
  // Node: a certificate that is not trusted.
  /^(?:ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/,
  // Postgres: connections, resources, a stop.
  /^(?:08|53|57P0)/,
  // A standby of Postgres, such as a former primary.
  /^(?:ERR_POSTGRES_STANDBY|ERR_TRANSACTION_NOT_BEGUN)/,
  // Postgres: a read that kept a replica from applying changes.
  /^40001/,
  // jose: the issuer did not return its keys.
  /^(?:ERR_JWKS_|ERR_JOSE_GENERIC)/,
];

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
    if (typeof code === 'string' && CONNECTION_ERRORS.some(codes => codes.test(code))) return true;
    if (CONNECTION_MESSAGE.test(cause.message)) return true;
    ({ cause } = cause);
  }
  return false;
}

/** Codes of fetch. */
const NOT_REACHED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Nothing was sent, so the request had no effect. */
export function wasNotReached({ cause }: Error): boolean {
  const { code = '' } = (cause ?? {}) as { readonly code?: string };
  return NOT_REACHED.has(code);
}
