import type { Role } from '../../../graphql-api/platform/viewer.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';
import type { Api } from '../harness/api-process.ts';
import { mutate } from '../harness/mutate.ts';

/** Creates and changes campaigns over GraphQL. */
export function campaignActions(api: () => Api) {
  const by = (tenant: Tenant, role: Role = 'owner') => ({ api: api(), tenant, role });

  async function create(tenant: Tenant, input: object = {}, role: Role = 'owner'): Promise<Shown> {
    const given = { input: { ...DRAFT, ...input } };
    return (await mutate<{ campaign: Shown }>(by(tenant, role), 'campaignCreate', given, ALL))
      .campaign;
  }

  async function change(
    tenant: Tenant,
    name: string,
    { id }: Pick<Shown, 'id'>,
    input?: Readonly<Record<string, unknown>>,
  ): Promise<Shown> {
    const args = { id, ...(input && { input }) };
    return (await mutate<{ campaign: Shown }>(by(tenant), name, args, ALL)).campaign;
  }
  return { by, create, change };
}

export type Shown = {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly [field: string]: unknown;
};

export const ALL = `campaign {
  id name type status surfaces content priority startsAt endsAt audience consentPurpose endsOn
  caps { totalMax windowMax windowSeconds intervalSecondsMin } isCapExempt
  variants { id weight content } version
}`;

export const DRAFT = {
  name: 'Autumn sale',
  type: 'MODAL',
  surfaces: ['home'],
  content: { title: 'Hello', nested: { list: [1, 2] } },
  priority: 5,
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: '2100-01-01T00:00:00.000Z',
  audience: { and: [{ trait: 'plan', operator: 'eq', value: 'pro' }] },
  consentPurpose: 'research',
  endsOn: ['CLICKED'],
  caps: { totalMax: 3, windowMax: 1, windowSeconds: 3600 },
  isCapExempt: true,
  variants: [
    { id: 'a', weight: 1, content: null },
    { id: 'b', weight: 0.5, content: { title: 'Hi' } },
  ],
};

export async function audited({ workspaceId }: Tenant): Promise<Record<string, unknown>[]> {
  return sql('SELECT action, before, after FROM audit_log WHERE workspace_id = $1 ORDER BY id', [
    workspaceId,
  ]);
}
