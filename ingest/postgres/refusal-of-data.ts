import pg from 'pg';

/**
 * Whether Postgres refused the values themselves, so that a retry can't succeed: data exceptions
 * (class 22) and violated constraints (class 23). https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
export function isRefusalOfData(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
}
