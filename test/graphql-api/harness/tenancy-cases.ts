// What the tenancy walker needs to know of each noun. It fails for a node type or mutation that is
// missing here, so that a new noun is walked from its first day.

import type { Tenant } from '../../harness/tenant.ts';

/** The UUID of such a thing that the tenant has. */
export const NODE_IDS: Readonly<Record<string, (tenant: Tenant) => string>> = {
  Organization: tenant => tenant.organizationId,
  Workspace: tenant => tenant.workspaceId,
  SdkKey: tenant => tenant.keyId,
  Property: tenant => tenant.propertyId,
};

/** A valid `input` that names, where it names anything, what is the tenant's. */
export const MUTATION_INPUTS: Readonly<
  Record<string, (tenant: Tenant) => Readonly<Record<string, unknown>>>
> = {
  cellUpdate: () => ({ isEnabled: true }),
  organizationUpdate: () => ({ name: 'walked' }),
  propertyCreate: () => ({ name: 'walked' }),
  propertyUpdate: () => ({ name: 'walked' }),
  sdkKeyCreate: () => ({ name: 'walked' }),
  sdkKeyRotate: () => ({ overlapSeconds: 60 }),
  sdkKeyUpdate: () => ({ name: 'walked', minuteCap: 7 }),
  workspaceCreate: () => ({ name: 'walked' }),
  workspaceUpdate: () => ({ name: 'walked', inAppDailyMax: 7 }),
};

/** Values of required query arguments that are no ids. */
export const QUERY_ARGUMENTS: Readonly<Record<string, unknown>> = { first: 10 };

/** What only platform admins may ask, so that owners are refused the whole of it. */
export const PLATFORM_QUERIES: ReadonlySet<string> = new Set(['cells', 'platformAuditEntries']);

/** What replaces `{…}` in a REST path, by the parameter's name. */
export const PATH_PARAMETERS: Readonly<Record<string, (tenant: Tenant) => string>> = {
  sdk_key_id: tenant => tenant.keyId,
};

/** What is sent to a REST path by POST, PUT or PATCH, where `{"name":"walked"}` isn't valid. */
export const REST_BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/api/v1/sdk-keys/{sdk_key_id}/rotate': { overlap_seconds: 60 },
};
