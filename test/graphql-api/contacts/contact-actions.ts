import type { Role } from '../../../graphql-api/platform/viewer.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';
import type { Api } from '../harness/api-process.ts';
import { mutate } from '../harness/mutate.ts';

/** Creates and changes contacts over GraphQL. */
export function contactActions(api: () => Api) {
  const by = (tenant: Tenant, role: Role = 'owner') => ({ api: api(), tenant, role });

  async function upsert(tenant: Tenant, input: Readonly<Record<string, unknown>>): Promise<Shown> {
    return (await mutate<{ contact: Shown }>(by(tenant), 'contactUpsert', { input }, ALL)).contact;
  }

  async function change(
    tenant: Tenant,
    name: string,
    id: string,
    input?: Readonly<Record<string, unknown>>,
  ): Promise<Shown> {
    const args = { id, ...(input && { input }) };
    return (await mutate<{ contact: Shown }>(by(tenant), name, args, ALL)).contact;
  }
  return { by, upsert, change };
}

export type Shown = { readonly id: string; readonly [field: string]: unknown };

export const ALL = `contact {
  id userId anonymousId traits traitsBytes suppressedAt consents { purpose status version source }
}`;

export async function audited({ workspaceId }: Tenant): Promise<unknown[]> {
  return sql('SELECT action, before, after FROM audit_log WHERE workspace_id = $1 ORDER BY id', [
    workspaceId,
  ]);
}
