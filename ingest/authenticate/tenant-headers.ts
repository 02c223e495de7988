import { type Problem, problem } from '../../schema/values/problem.ts';
import type { Account } from './directory.ts';

/** The tenant claimed by a request. Undefined and empty both mean no claim. */
export type TenantClaims = {
  readonly organizationId?: string | undefined;
  readonly propertyId?: string | undefined;
  readonly workspaceId?: string | undefined;
};

/**
 * The write key alone determines the tenant; claims are only compared with it. A mismatch means a
 * misconfigured client, whose events would otherwise be stored unnoticed for the wrong tenant.
 */
export function checkTenantClaims(account: Account, claims: TenantClaims): Problem | undefined {
  const { organizationId, propertyId, workspaceId } = claims;
  if (organizationId && !isSame(organizationId, account.organizationId)) return WRONG_ORGANIZATION;
  if (workspaceId && !isSame(workspaceId, account.workspaceId)) return WRONG_WORKSPACE;
  if (propertyId && !isOneOf(propertyId, account.propertyIds)) return WRONG_PROPERTY;
  return undefined;
}

const WRONG_ORGANIZATION = problem(
  'TENANT_MISMATCH',
  'X-Organization-ID does not match the write key’s organization.',
);
const WRONG_WORKSPACE = problem(
  'TENANT_MISMATCH',
  'workspace_id does not match the write key’s workspace.',
);
const WRONG_PROPERTY = problem(
  'TENANT_MISMATCH',
  'X-Property-Id or property_id is not the ID of a property in the write key’s workspace.',
);

/** IDs are stored in lower case; clients may send either case. */
function isSame(claimed: string, id: string): boolean {
  return claimed === id || claimed.toLowerCase() === id;
}

function isOneOf(claimed: string, ids: ReadonlySet<string>): boolean {
  return ids.has(claimed) || ids.has(claimed.toLowerCase());
}
