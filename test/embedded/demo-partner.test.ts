// The partner program of the demo that `npm start` creates, on a separate database.

import { expect, inject, test } from 'vitest';
import { createDemoPartner } from '../../embedded/demo-partner.ts';
import { createDemoTenant } from '../../embedded/demo-tenant.ts';
import { reconcile } from '../../graphql-api/partner/ledger/reconcile.ts';
import { createDeps } from '../graphql-api/harness/deps.ts';
import { TEST_SECRET } from '../graphql-api/harness/tokens.ts';
import { TEST_ENCRYPTION_KEYS } from '../harness/environments.ts';
import { ownDatabase } from '../harness/own-database.ts';
import { sql } from '../harness/tenant.ts';

const TABLES = [
  'organizations',
  'referee_relations',
  'payment_facts',
  'earnings',
  'ledger_transactions',
  'invoices',
  'redemptions',
  'payouts',
  'agency_deals',
  'kyc_submissions',
];

async function scene() {
  const { owner, system } = await ownDatabase();
  const app = new URL(inject('databaseUrls').app);
  app.pathname = new URL(owner).pathname;
  const databases = { DATABASE_APP_URL: app.href, DATABASE_SYSTEM_URL: system };
  const env = {
    ...databases,
    DATABASE_POOL_MAX: '2',
    LOG_LEVEL: 'error',
    AUTH_JWT_SECRET: TEST_SECRET,
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
  };
  return {
    databases,
    query: (text: string, values: unknown[] = []) => sql(text, values, owner),
    make: async () => {
      const tenant = await createDemoTenant(system);
      return { ...tenant, ...(await createDemoPartner(env, tenant)) };
    },
    counts: () =>
      Promise.all(
        TABLES.map(async table => {
          const [row] = await sql(`SELECT count(*)::int AS count FROM ${table}`, [], owner);
          return [table, row!.count];
        }),
      ),
  };
}

test('has demo data for every feature, and its ledger is consistent', async () => {
  const { make, query, databases } = await scene();
  const { organizationId, agencyOrganizationId } = await make();
  const [own] = await query(
    `SELECT count(*)::int AS all, (count(*) FILTER (WHERE first_payment_id IS NULL))::int AS new,
            (count(*) FILTER (WHERE live_payments > 0))::int AS active
     FROM referee_relations WHERE referrer_organization_id = $1`,
    [organizationId],
  );
  // Too few for an affiliate, so an upgrade shows the refusal.
  expect(own).toEqual({ all: 6, new: 1, active: 4 });
  const pending = await query(
    `SELECT DISTINCT release_on FROM earnings WHERE organization_id = $1 AND status = 'PENDING'`,
    [organizationId],
  );
  expect(pending).toHaveLength(2);
  expect(
    await query('SELECT kind FROM invoices WHERE organization_id = $1 ORDER BY id', [
      organizationId,
    ]),
  ).toEqual([{ kind: 'NORMAL' }, { kind: 'NORMAL' }, { kind: 'PASSTHROUGH' }]);
  expect(
    await query('SELECT FROM affiliate_profiles WHERE organization_id = $1', [organizationId]),
  ).toEqual([]);
  const [agency] = await query(
    `SELECT partner_status, kyc_status,
            (SELECT count(DISTINCT status)::int FROM agency_deals WHERE organization_id = $1) AS deals
     FROM partner_profiles JOIN affiliate_profiles USING (organization_id) WHERE organization_id = $1`,
    [agencyOrganizationId],
  );
  expect(agency).toEqual({ partner_status: 'AGENCY', kyc_status: 'KYC_APPROVED', deals: 4 });
  const deps = await createDeps(databases);
  try {
    expect(await deps.database.asSystem(em => reconcile(em))).toEqual([]);
  } finally {
    await deps.warehouses.close();
    await deps.database.close();
  }
});

test('is created once, even if an earlier start was killed before it was complete', async () => {
  const { make, counts, query } = await scene();
  const first = await make();
  const before = await counts();
  expect(await make()).toEqual(first);
  expect(await counts()).toEqual(before);
  // Simulates a crash just before the last invoice.
  await query(`DELETE FROM invoices WHERE id = 'DEMO-INV-SMS'`);
  expect(await make()).toEqual(first);
  expect(await counts()).toEqual(before);
});
