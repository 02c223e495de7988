// Issues tax certificates: one per organization and quarter of the Indian financial year.

import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChange } from '../platform/audit.ts';
import type { AppDeps } from '../platform/context.ts';
import { sql } from '../platform/database/kysely.ts';
import { eachOrganization } from './each-organization.ts';
import {
  indianDay,
  type Quarter,
  quarterAt,
  quarterDays,
  quarterStartMs,
} from './indian-quarter.ts';

type Scope = { readonly em: EntityManager; readonly deps: AppDeps; readonly requestId: string };

/**
 * Issues the missing certificates of all quarters that have ended. A quarter gets exactly one
 * certificate, regardless of repeated or concurrent runs. Returns the number of organizations that
 * received one.
 */
export function issueCertificates(deps: AppDeps, requestId: string): Promise<number> {
  const endedBefore = new Date(quarterStartMs(quarterAt(deps.clock.nowMs()))).toISOString();
  return eachOrganization(deps, {
    due: sql`SELECT DISTINCT organization_id AS id FROM payouts
             WHERE status = 'PAID' AND tax_minor > 0 AND paid_at < ${endedBefore}
               AND NOT EXISTS (SELECT FROM tax_certificate_lines WHERE payout_id = payouts.id)`,
    work: async (em, organizationId) => {
      const scope = { em, deps, requestId };
      const payouts = await uncertified(em, organizationId, endedBefore);
      let issued = 0;
      for (const ofQuarter of byQuarter(payouts))
        if (await issue(scope, organizationId, ofQuarter)) issued++;
      return issued > 0;
    },
  });
}

type PayoutRow = {
  readonly id: string;
  readonly currency: string;
  readonly paid_at: Date;
  readonly bank_reference: string;
  readonly gross_minor: bigint;
  readonly tax_rate_bps: number;
  readonly tax_minor: bigint;
  readonly net_minor: bigint;
};

/** The row locks keep a bank return from changing these payouts in the meantime. */
function uncertified(
  em: EntityManager,
  organizationId: string,
  endedBefore: string,
): Promise<PayoutRow[]> {
  return em.execute<PayoutRow[]>(
    `SELECT id, currency, paid_at, bank_reference, gross_minor, tax_rate_bps, tax_minor, net_minor
     FROM payouts
     WHERE organization_id = ? AND status = 'PAID' AND tax_minor > 0 AND paid_at < ?
       AND NOT EXISTS (SELECT FROM tax_certificate_lines WHERE payout_id = payouts.id)
     ORDER BY paid_at, id FOR SHARE`,
    [organizationId, endedBefore],
  );
}

type OfQuarter = { readonly quarter: Quarter; readonly payouts: readonly PayoutRow[] };

function byQuarter(payouts: readonly PayoutRow[]): readonly OfQuarter[] {
  const found = new Map<string, { quarter: Quarter; payouts: PayoutRow[] }>();
  for (const payout of payouts) {
    const quarter = quarterAt(payout.paid_at.getTime());
    const key = `${quarter.financialYear}/${quarter.quarter}`;
    const same = found.get(key) ?? { quarter, payouts: [] };
    same.payouts.push(payout);
    found.set(key, same);
  }
  return [...found.values()];
}

async function issue(
  scope: Scope,
  organizationId: string,
  { quarter, payouts }: OfQuarter,
): Promise<boolean> {
  const id = scope.deps.newId();
  if (!(await insertCertificate(scope, id, organizationId, { quarter, payouts }))) return false;
  await insertLines(scope, id, organizationId, payouts);
  const viewer = {
    userId: 'system',
    organizationId,
    workspaceId: undefined,
    roles: new Set<never>(),
  };
  await recordChange(
    { ...scope, viewer },
    {
      action: 'tax_certificate.issue',
      subjectType: 'tax_certificate',
      subjectId: id,
      after: { ...quarter, taxMinor: String(total(payouts, 'tax_minor')) },
    },
  );
  return true;
}

/**
 * The last submission approved before the quarter's last payout; if there is none, the last
 * submission.
 */
const KYC_WHEN_PAID = `
  SELECT pan_name, full_name, pan_masked FROM kyc_submissions
  WHERE organization_id = organization.id
  ORDER BY coalesce(reviewed_at <= ?::timestamptz AND rejection_reason IS NULL, false) DESC,
           created_at DESC, id DESC
  LIMIT 1`;

/** Returns false if the quarter already has a certificate, which never changes. */
async function insertCertificate(
  { em, deps }: Scope,
  id: string,
  organizationId: string,
  { quarter, payouts }: OfQuarter,
): Promise<boolean> {
  const { startsOn, endsOn } = quarterDays(quarter);
  const inserted = await em.execute<unknown[]>(
    `INSERT INTO tax_certificates (id, organization_id, financial_year, quarter, starts_on, ends_on,
       form, deductor_name, deductor_tan, deductee_name, pan_masked, currency, gross_minor, tax_minor,
       net_minor, created_at)
     SELECT ?, organization.id, ?, ?, ?::date, ?::date, form.form, form.deductor_name, form.deductor_tan,
            coalesce(kyc.pan_name, kyc.full_name, organization.name), kyc.pan_masked, ?,
            ?::bigint, ?::bigint, ?::bigint, ?
     FROM organizations organization
     JOIN LATERAL (SELECT * FROM tax_forms WHERE starts_on <= ?::date
                   ORDER BY starts_on DESC LIMIT 1) form ON true
     LEFT JOIN LATERAL (${KYC_WHEN_PAID}) kyc ON true
     WHERE organization.id = ?
     ON CONFLICT (organization_id, financial_year, quarter) DO NOTHING RETURNING 1`,
    [
      id,
      quarter.financialYear,
      quarter.quarter,
      startsOn,
      endsOn,
      payouts[0]!.currency,
      String(total(payouts, 'gross_minor')),
      String(total(payouts, 'tax_minor')),
      String(total(payouts, 'net_minor')),
      new Date(deps.clock.nowMs()).toISOString(),
      startsOn,
      payouts.at(-1)!.paid_at,
      organizationId,
    ],
  );
  return inserted.length > 0;
}

async function insertLines(
  { em }: Scope,
  certificateId: string,
  organizationId: string,
  payouts: readonly PayoutRow[],
): Promise<void> {
  const lines = payouts.map(({ paid_at, ...payout }) => ({
    ...payout,
    paid_on: indianDay(paid_at.getTime()),
  }));
  await em.execute(
    `INSERT INTO tax_certificate_lines (payout_id, certificate_id, organization_id, paid_on,
       bank_reference, gross_minor, tax_rate_bps, tax_minor, net_minor)
     SELECT id, ?, ?, paid_on, bank_reference, gross_minor, tax_rate_bps, tax_minor, net_minor
     FROM jsonb_to_recordset(?::jsonb) AS line(id uuid, paid_on date, bank_reference text,
       gross_minor bigint, tax_rate_bps integer, tax_minor bigint, net_minor bigint)`,
    [certificateId, organizationId, JSON.stringify(lines, exactly)],
  );
}

/** JSON has no bigint; Postgres reads the digits from a string. */
function exactly(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

type Amount = 'gross_minor' | 'tax_minor' | 'net_minor';

/** All payouts of a wallet have the same currency, so they can be summed. */
function total(payouts: readonly PayoutRow[], amount: Amount): bigint {
  return payouts.reduce((sum, payout) => sum + BigInt(payout[amount]), 0n);
}
