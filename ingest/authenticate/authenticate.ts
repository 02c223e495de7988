import { type Problem, problem } from '../../schema/values/problem.ts';
import type { Account, Directory } from './directory.ts';
import { isOriginAllowed } from './origin.ts';
import { checkTenantClaims, type TenantClaims } from './tenant-headers.ts';

export type Credentials = {
  readonly writeKey: string | undefined;
  /** The `Origin` header, exactly as sent. */
  readonly origin: string | undefined;
  readonly claims: TenantClaims;
};

/**
 * `isCorsAllowed`: whether the response may carry CORS headers, so that a page can read it. A page
 * may read an invalid-key error if some key allows its origin, and no response if its key does not
 * allow its origin.
 */
type Authentication =
  | { readonly account: Account; readonly problem?: undefined }
  | { readonly account?: undefined; readonly problem: Problem; readonly isCorsAllowed: boolean };

/**
 * Authenticates the sender by key, then origin, then tenant claims. The caller checks the state of
 * the tenant's cell, because that response differs by endpoint.
 */
export function authenticate(directory: Directory, credentials: Credentials): Authentication {
  const { writeKey, origin, claims } = credentials;
  const account = writeKey === undefined ? undefined : directory.accountOf(writeKey);
  if (account === undefined) {
    const isCorsAllowed = !origin || directory.isOriginAllowedBySomeKey(origin);
    return { problem: INVALID_WRITE_KEY, isCorsAllowed };
  }
  if (!isOriginAllowed(account, origin)) return FOREIGN_ORIGIN;
  const mismatch = checkTenantClaims(account, claims);
  return mismatch === undefined ? { account } : { problem: mismatch, isCorsAllowed: true };
}

const INVALID_WRITE_KEY = problem('INVALID_WRITE_KEY');
const FOREIGN_ORIGIN = { problem: problem('ORIGIN_NOT_ALLOWED'), isCorsAllowed: false } as const;
