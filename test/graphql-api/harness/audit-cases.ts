// What a mutation needs to succeed, where a valid input and the id of what every tenant has are not
// enough. The audit walker fails for a mutation that it cannot make succeed.

import { encodeNodeId } from '../../../graphql-api/graph/node-id.ts';
import { sql, type Tenant } from '../../harness/tenant.ts';

export type AuditCase = {
  readonly id?: string;
  readonly input?: Readonly<Record<string, unknown>>;
};

/** The variables of a call that succeeds. Each is called with a tenant of its own. */
export const AUDIT_CASES: Readonly<Record<string, (tenant: Tenant) => Promise<AuditCase>>> = {
  cellUpdate: async () => {
    const [cell] = (await sql(`SELECT id, is_enabled FROM cells WHERE slug = 'default'`)) as [
      { id: string; is_enabled: boolean },
    ];
    // As it is: other tests of the run send to it.
    return { id: encodeNodeId('Cell', cell.id), input: { isEnabled: cell.is_enabled } };
  },
};

/** What leaves no entry, each with the reason. */
export const NOT_AUDITED: Readonly<Record<string, string>> = {};
