// What the tenancy walker needs to know of each noun. It fails for a node type or mutation that is
// missing here, so that a new noun is walked from its first day.

import type { Tenant } from '../../harness/tenant.ts';

/** The UUID of such a thing that the tenant has. */
export const NODE_IDS: Readonly<Record<string, (tenant: Tenant) => string>> = {
  Organization: tenant => tenant.organizationId,
  Workspace: tenant => tenant.workspaceId,
  SdkKey: tenant => tenant.keyId,
};

/** A valid `input` that names, where it names anything, what is the tenant's. */
export const MUTATION_INPUTS: Readonly<
  Record<string, (tenant: Tenant) => Readonly<Record<string, unknown>>>
> = {
  sdkKeyCreate: () => ({ name: 'walked' }),
  workspaceUpdate: () => ({ name: 'walked', inAppDailyMax: 7 }),
};

/** Values of required query arguments that are no ids. */
export const QUERY_ARGUMENTS: Readonly<Record<string, unknown>> = { first: 50 };

/** What replaces `{…}` in a REST path, by the parameter's name. */
export const PATH_PARAMETERS: Readonly<Record<string, (tenant: Tenant) => string>> = {};
