// Creates partners directly in Postgres, at the stage of the program where a test begins.

import { randomInt } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { sql } from '../../harness/tenant.ts';

/** For a database other than the one shared by the run. */
type Query = (text: string, values: unknown[]) => Promise<unknown>;

/** Creates this number of paying referees for the organization. */
export async function refer(organizationId: string, count: number, query: Query = sql) {
  const code = organizationId.slice(-12);
  await query(
    'INSERT INTO referral_codes (code, organization_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [code, organizationId],
  );
  for (let i = 0; i < count; i++) {
    const referee = uuidv7();
    await query(
      `WITH made AS (INSERT INTO organizations (id, name) VALUES ($1, 'Referee') RETURNING id)
       INSERT INTO referee_relations
         (referee_organization_id, referrer_organization_id, code, first_payment_id, first_paid_at,
          first_counted_payment_id, first_counted_paid_at, live_payments)
       SELECT id, $2, $3, $1::text, now(), $1::text, now(), 1 FROM made`,
      [referee, organizationId, code],
    );
  }
}

/** An affiliate that has not submitted its KYC. */
export async function createAffiliate(organizationId: string, query: Query = sql): Promise<void> {
  await query('INSERT INTO affiliate_profiles (organization_id) VALUES ($1)', [organizationId]);
}

/** A KYC submission in the review queue, without sealed values. */
export async function createKycSubmission(
  organizationId: string,
  query: Query = sql,
): Promise<string> {
  await createAffiliate(organizationId, query);
  const id = uuidv7();
  await query(
    `INSERT INTO kyc_submissions (id, organization_id, entity_type, full_name, has_gst, bank_ifsc,
       bank_account_holder_name, bank_account_masked, created_by, created_at)
     VALUES ($1, $2, 'INDIVIDUAL', 'Asha Rao', false, 'HDFC0001234', 'Asha Rao', '*****6789', 'test', now())`,
    [id, organizationId],
  );
  return id;
}

export type KycBody = {
  readonly full_name: string;
  readonly pan_number: string;
  readonly pan_name: string;
  readonly bank_account_number: string;
  readonly bank_ifsc: string;
  readonly bank_account_holder_name: string;
  readonly entity_type: string;
};

/** A valid body, whose values no other test uses. */
export function kycBody(): KycBody {
  return {
    full_name: 'Asha Rao',
    pan_number: randomPan('P'),
    pan_name: 'ASHA RAO',
    bank_account_number: String(randomInt(10 ** 11, 10 ** 12)),
    bank_ifsc: 'HDFC0001234',
    bank_account_holder_name: 'Asha Rao',
    entity_type: 'INDIVIDUAL',
  };
}

/** The same as GraphQL input. */
export function kycInput(body: Readonly<Record<string, unknown>> = kycBody()) {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

export function randomPan(kind: string): string {
  const letter = () => String.fromCharCode(65 + randomInt(26));
  const digits = String(randomInt(10_000)).padStart(4, '0');
  return `${letter()}${letter()}${letter()}${kind}${letter()}${digits}${letter()}`;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * The GSTIN of a PAN. Its check digit follows the tax office's rule: weights 1 and 2, base-36
 * digits.
 */
export function gstinOf(pan: string): string {
  const text = `27${pan}1Z`;
  const sum = text
    .split('')
    .map((character, place) => ALPHABET.indexOf(character) * (place % 2 === 0 ? 1 : 2))
    .reduce((total, product) => total + Math.floor(product / 36) + (product % 36), 0);
  return text + ALPHABET[(36 - (sum % 36)) % 36];
}

export type AgencyOptions = {
  readonly domain?: string;
  readonly isAgreementSigned?: boolean;
  readonly query?: Query;
};

export async function createAgency(
  organizationId: string,
  { domain, isAgreementSigned = true, query = sql }: AgencyOptions = {},
): Promise<void> {
  await query(
    `WITH agency AS (
       INSERT INTO agency_profiles (organization_id, domain, agreement_signed_at, appointed_by, created_at)
       VALUES ($1, $2, CASE WHEN $3 THEN now() END, 'test', now()))
     INSERT INTO partner_profiles (organization_id, partner_status) VALUES ($1, 'AGENCY')`,
    [organizationId, domain ?? null, isAgreementSigned],
  );
}

export type DealOptions = {
  readonly id?: string;
  readonly domain?: string;
  readonly status?: 'REGISTERED' | 'PROOF_SUBMITTED';
};

/** Creates an open deal of an agency. */
export async function createDeal(
  organizationId: string,
  { id = uuidv7(), domain = `${id}.com`, status = 'REGISTERED' }: DealOptions = {},
): Promise<string> {
  await sql(
    `INSERT INTO agency_deals (id, organization_id, prospect_company_name, prospect_domain,
       prospect_contact_email, currency, estimated_value_minor, status, proof_due_at, locked_until,
       created_by, created_at)
     VALUES ($1, $2, 'Acme', $3, 'buyer@acme.com', 'INR', 1000000, $4, now() + interval '14 days',
       now() + interval '90 days', 'test', now())`,
    [id, organizationId, domain, status],
  );
  return id;
}

export async function createCertificate(
  organizationId: string,
  id: string,
  query: Query = sql,
): Promise<void> {
  await query(
    `INSERT INTO tax_certificates (id, organization_id, financial_year, quarter, starts_on, ends_on,
       form, deductee_name, currency, gross_minor, tax_minor, net_minor, created_at)
     VALUES ($1, $2, 2026, 1, '2026-04-01', '2026-06-30', 'Form 131', 'ASHA RAO', 'INR', 100000, 2000,
       98000, now())`,
    [id, organizationId],
  );
}
