// Issues tax certificates: one per organization and quarter of the Indian financial year.

import type { EntityManager } from '@mikro-orm/postgresql';
import { recordChange } from '../platform/audit.ts';
import type { AppDeps } from '../platform/context.ts';
import { type RowOf, rowsOf, sql } from '../platform/database/kysely.ts';
import { defineJob, scheduledData } from '../platform/jobs/job.ts';
import { eachOrganization } from './each-organization.ts';
import { type Quarter, quarterAt, quarterDays, quarterStartMs } from './indian-quarter.ts';

/** Runs after each quarter of the Indian financial year, in the morning in India. */
export const issueTaxCertificates = defineJob({
  name: 'issue-tax-certificates',
  schedule: '30 1 1 1,4,7,10 *',
  data: scheduledData,
  async run(context) {
    context.note({ organizations: await issueCertificates(context.deps, context.requestId) });
  },
});

type Scope = { readonly em: EntityManager; readonly deps: AppDeps; readonly requestId: string };

/**
 * Issues the missing certificates of all quarters that have ended. A quarter gets exactly one
 * certificate, regardless of repeated or concurrent runs. Returns the number of organizations that
 * received one.
 */
function issueCertificates(deps: AppDeps, requestId: string): Promise<number> {
  const endedBefore = new Date(quarterStartMs(quarterAt(deps.clock.nowMs())));
  const uncertified = sql`status = 'PAID' AND tax_minor > 0 AND paid_at < ${endedBefore}
    AND NOT EXISTS (SELECT FROM tax_certificate_lines WHERE payout_id = payouts.id)`;
  return eachOrganization(deps, {
    due: sql`SELECT DISTINCT organization_id AS id FROM payouts WHERE ${uncertified}`,
    work: async (em, organizationId) => {
      // The row locks keep a bank return from changing these payouts in the meantime.
      const payouts = await rowsOf(
        em,
        sql<Payout>`
          SELECT id, currency, paid_at, gross_minor, tax_minor, net_minor FROM payouts
          WHERE organization_id = ${organizationId} AND ${uncertified}
          ORDER BY paid_at, id FOR SHARE`,
      );
      let issued = 0;
      for (const ofQuarter of byQuarter(payouts))
        if (await issue({ em, deps, requestId }, organizationId, ofQuarter)) issued++;
      return issued > 0;
    },
  });
}

type Amount = 'grossMinor' | 'taxMinor' | 'netMinor';
type Payout = Pick<RowOf<'payouts'>, 'id' | 'currency' | Amount> & { readonly paidAt: Date };
type OfQuarter = { readonly quarter: Quarter; readonly payouts: readonly Payout[] };

function byQuarter(payouts: readonly Payout[]): readonly OfQuarter[] {
  const groups = Map.groupBy(payouts, ({ paidAt }) => quarterStartMs(quarterAt(paidAt.getTime())));
  return Array.from(groups, ([startMs, ofQuarter]) => ({
    quarter: quarterAt(startMs),
    payouts: ofQuarter,
  }));
}

async function issue(
  scope: Scope,
  organizationId: string,
  { quarter, payouts }: OfQuarter,
): Promise<boolean> {
  const id = scope.deps.newId();
  if (!(await insertCertificate(scope, id, organizationId, { quarter, payouts }))) return false;
  await insertLines(scope, id, payouts);
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
      subjectId: id,
      after: { ...quarter, taxMinor: String(total(payouts, 'taxMinor')) },
    },
  );
  return true;
}

/**
 * The name is from the last KYC submission approved before the quarter's last payout, or else from
 * the last submission. Returns false if the quarter already has a certificate, which never changes.
 */
async function insertCertificate(
  { em, deps }: Scope,
  id: string,
  organizationId: string,
  { quarter, payouts }: OfQuarter,
): Promise<boolean> {
  const { startsOn, endsOn } = quarterDays(quarter);
  const inserted = await rowsOf(
    em,
    sql`
      INSERT INTO tax_certificates (id, organization_id, financial_year, quarter, starts_on, ends_on,
        form, deductor_name, deductor_tan, deductee_name, pan_masked, currency, gross_minor,
        tax_minor, net_minor, created_at)
      SELECT ${id}, organization.id, ${quarter.financialYear}, ${quarter.quarter}, ${startsOn}::date,
             ${endsOn}::date, form.form, form.deductor_name, form.deductor_tan,
             coalesce(kyc.pan_name, kyc.full_name, organization.name), kyc.pan_masked,
             ${payouts[0]!.currency}, ${total(payouts, 'grossMinor')}::bigint,
             ${total(payouts, 'taxMinor')}::bigint, ${total(payouts, 'netMinor')}::bigint,
             ${new Date(deps.clock.nowMs())}
      FROM organizations organization
      JOIN LATERAL (SELECT * FROM tax_forms WHERE starts_on <= ${startsOn}::date
                    ORDER BY starts_on DESC LIMIT 1) form ON true
      LEFT JOIN LATERAL (
        SELECT pan_name, full_name, pan_masked FROM kyc_submissions
        WHERE organization_id = organization.id
        ORDER BY coalesce(reviewed_at <= ${payouts.at(-1)!.paidAt}::timestamptz
                          AND rejection_reason IS NULL, false) DESC,
                 created_at DESC, id DESC
        LIMIT 1) kyc ON true
      WHERE organization.id = ${organizationId}
      ON CONFLICT (organization_id, financial_year, quarter) DO NOTHING RETURNING 1`,
  );
  return inserted.length > 0;
}

async function insertLines(
  { em }: Scope,
  certificateId: string,
  payouts: readonly Payout[],
): Promise<void> {
  await rowsOf(
    em,
    sql`
      INSERT INTO tax_certificate_lines (payout_id, certificate_id, organization_id, paid_on,
        bank_reference, gross_minor, tax_rate_bps, tax_minor, net_minor)
      SELECT id, ${certificateId}, organization_id, (paid_at AT TIME ZONE 'Asia/Kolkata')::date,
             bank_reference, gross_minor, tax_rate_bps, tax_minor, net_minor
      FROM payouts WHERE id = ANY(${payouts.map(({ id }) => id)})`,
  );
}

/** All payouts of a wallet have the same currency, so they can be summed. */
function total(payouts: readonly Payout[], amount: Amount): bigint {
  return payouts.reduce((sum, payout) => sum + payout[amount], 0n);
}
