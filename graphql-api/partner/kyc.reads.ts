// The KYC review queue, for platform admins.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from '../platform/context.ts';
import { readAcrossTenants } from '../platform/database/across-tenants.ts';
import { type Page, type PageRequest, readPage } from '../platform/database/page.ts';
import { secretsOf } from '../platform/secrets.ts';
import { KycSubmission } from './kyc.entity.ts';

export type KycSubmissionFilter = {
  readonly status?: KycSubmission['status'] | null | undefined;
  readonly organizationId?: string | undefined;
};

export async function kycSubmissionsPage(
  context: Context,
  page: PageRequest,
  { status, organizationId }: KycSubmissionFilter,
): Promise<Page<KycSubmission>> {
  const where = { ...(status && { status }), ...(organizationId && { organizationId }) };
  return readAcrossTenants(context, em => readPage(em, KycSubmission, where, page));
}

export async function kycSubmissionsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly KycSubmission[]> {
  return readAcrossTenants(context, em => em.find(KycSubmission, { id: { $in: [...ids] } }));
}

/** Another organization that submitted the same detail. */
export type KycAlert = {
  readonly kind: 'SAME_PAN' | 'SAME_BANK_ACCOUNT';
  readonly organizationId: string;
  readonly organizationName: string;
};

export type KycAlerts = { readonly id: string; readonly alerts: readonly KycAlert[] };

const KINDS: Readonly<Record<string, KycAlert['kind']>> = {
  pan_number: 'SAME_PAN',
  bank_account_number: 'SAME_BANK_ACCOUNT',
};
/** More alerts would not help the review. */
const ALERTS_MAX = 10;

type SecretRow = { id: string; field: string; key_id: string; sealed: string };

/**
 * The alerts of each submission. Matches are found by keyed hashes, one per configured key, because
 * secrets that were sealed before a key rotation have the hash of the previous key.
 */
export async function kycAlertsByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly KycAlerts[]> {
  const secrets = secretsOf(context.deps);
  return readAcrossTenants(context, async em => {
    const rows = await em.execute<SecretRow[]>(
      `SELECT submission_id AS id, field, key_id, sealed FROM kyc_secrets
       WHERE submission_id = ANY (?::uuid[]) AND field = ANY (?::text[])`,
      [`{${ids.join()}}`, `{${Object.keys(KINDS).join()}}`],
    );
    const wanted = rows.flatMap(({ id, field, key_id: keyId, sealed }) => {
      const place = { table: 'kyc_secrets', rowId: id, field };
      const text = secrets.open(place, { keyId, sealed });
      return secrets.blindIndexes(field, text).map(index => ({ id, field, index }));
    });
    const found = await matches(em, wanted);
    return ids.map(id => ({
      id,
      alerts: found.filter(match => match.id === id),
    }));
  });
}

type Wanted = { readonly id: string; readonly field: string; readonly index: string };

async function matches(
  em: EntityManager,
  wanted: readonly Wanted[],
): Promise<(KycAlert & { readonly id: string })[]> {
  if (wanted.length === 0) return [];
  const rows = await em.execute<{ id: string; field: string; other: string; name: string }[]>(
    `SELECT DISTINCT wanted.id, wanted.field, same.organization_id AS other, same.name
     FROM jsonb_to_recordset(?::jsonb) AS wanted(id uuid, field text, index text)
     JOIN kyc_submissions own ON own.id = wanted.id
     CROSS JOIN LATERAL (
       SELECT secret.organization_id, organization.name
       FROM kyc_secrets secret JOIN organizations organization ON organization.id = secret.organization_id
       WHERE secret.blind_index = wanted.index AND secret.field = wanted.field
         AND secret.organization_id <> own.organization_id
       ORDER BY secret.organization_id LIMIT ${ALERTS_MAX}) same
     ORDER BY wanted.id, wanted.field, same.organization_id`,
    [JSON.stringify(wanted)],
  );
  return rows.map(({ id, field, other, name }) => ({
    id,
    kind: KINDS[field]!,
    organizationId: other,
    organizationName: name,
  }));
}

export type OrganizationName = { readonly id: string; readonly name: string };

export async function organizationNamesByIds(
  context: Context,
  ids: readonly string[],
): Promise<readonly OrganizationName[]> {
  return readAcrossTenants(context, em =>
    em.execute<OrganizationName[]>(
      'SELECT id, name FROM organizations WHERE id = ANY (?::uuid[])',
      [`{${ids.join()}}`],
    ),
  );
}
