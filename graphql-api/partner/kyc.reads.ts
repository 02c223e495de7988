// The KYC review queue, for platform admins.

import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { platformReads } from '../platform/database/entity-reads.ts';
import { kysely, rowsOf, sql } from '../platform/database/kysely.ts';
import { secretsOf } from '../platform/secrets.ts';
import { KycSubmission } from './kyc.entity.ts';

export const kycSubmissions = platformReads(KycSubmission);

/** Another organization that submitted the same detail. */
export type KycAlert = {
  readonly kind: 'SAME_PAN' | 'SAME_BANK_ACCOUNT';
  readonly organizationId: string;
  readonly organizationName: string;
};

const KINDS: Readonly<Record<string, KycAlert['kind']>> = {
  pan_number: 'SAME_PAN',
  bank_account_number: 'SAME_BANK_ACCOUNT',
};
/** More alerts would not help the review. */
const ALERTS_MAX = 10;

/**
 * The alerts of each submission. Matches are found by keyed hashes, one per configured key, because
 * secrets that were sealed before a key rotation have the hash of the previous key.
 */
export async function kycAlertsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly alerts: readonly KycAlert[] }[]> {
  const secrets = secretsOf(context.deps);
  return readAcrossTenants(context, async em => {
    const sealed = await kysely(em)
      .selectFrom('kyc_secrets')
      .select(['submissionId', 'field', 'keyId', 'sealed'])
      .where('submissionId', 'in', ids)
      .where('field', 'in', Object.keys(KINDS))
      .execute();
    const wanted = sealed.flatMap(({ submissionId: id, field, ...value }) => {
      const text = secrets.open({ table: 'kyc_secrets', rowId: id, field }, value);
      return secrets.blindIndexes(field, text).map(index => ({ id, field, index }));
    });
    const matches = await rowsOf(em, matching(wanted));
    return ids.map(id => ({
      id,
      alerts: matches
        .filter(match => match.id === id)
        .map(({ field, ...other }) => ({ ...other, kind: KINDS[field]! })),
    }));
  });
}

type Wanted = { readonly id: string; readonly field: string; readonly index: string };
type Match = Omit<KycAlert, 'kind'> & { readonly id: string; readonly field: string };

function matching(wanted: readonly Wanted[]) {
  return sql<Match>`
    SELECT DISTINCT wanted.id, wanted.field, same.organization_id, same.name AS organization_name
    FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
      AS wanted(id uuid, field text, index text)
    JOIN kyc_submissions own ON own.id = wanted.id
    CROSS JOIN LATERAL (
      SELECT secret.organization_id, organization.name
      FROM kyc_secrets secret
      JOIN organizations organization ON organization.id = secret.organization_id
      WHERE secret.blind_index = wanted.index AND secret.field = wanted.field
        AND secret.organization_id <> own.organization_id
      ORDER BY secret.organization_id LIMIT ${ALERTS_MAX}) same
    ORDER BY wanted.id, wanted.field, same.organization_id`;
}
