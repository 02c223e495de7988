import pg from 'pg';

/**
 * Whether Postgres rejected the values themselves, so that a retry cannot succeed: data exceptions
 * (class 22), violated constraints (class 23) and program limits, such as the size of an index
 * entry (class 54). https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
export function isRefusalOfData(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^(2[23]|54)/.test(error.code ?? '');
}
