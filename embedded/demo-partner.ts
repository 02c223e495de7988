// The partner program after three months: the demo organization has referred others, and an
// agency has won deals. Created by the API's own actions, with a clock that starts in the past.

import { creditsRedeem } from '../graphql-api/partner/credit.redeem.ts';
import { invoiceRegister } from '../graphql-api/partner/invoice.register.ts';
import { releaseDueCredits } from '../graphql-api/partner/release-credits.job.ts';
import { createDemoAgency, createDemoApplicant } from './demo-agency.ts';
import { DEMO_CURRENCY, dispute, pay, refer, refund } from './demo-referrals.ts';
import { type DemoStory, openDemoStory } from './demo-story.ts';
import type { DemoTenant } from './demo-tenant.ts';

export type DemoPartner = { readonly agencyOrganizationId: string };

type Referral = {
  readonly name: string;
  readonly referredDaysAgo: number;
  /** Left out: it has not paid yet. */
  readonly paid?: { readonly daysAgo: number; readonly rupees: number };
  readonly refunded?: { readonly daysAgo: number; readonly rupees: number };
  readonly disputedDaysAgo?: number;
};

/** In several states: long released, partly refunded, charged back, held, just signed up. */
const REFERRALS: readonly Referral[] = [
  { name: 'Lotus Books', referredDaysAgo: 95, paid: { daysAgo: 90, rupees: 12_000 } },
  {
    name: 'Monsoon Tea',
    referredDaysAgo: 80,
    paid: { daysAgo: 75, rupees: 8_000 },
    refunded: { daysAgo: 70, rupees: 2_000 },
  },
  {
    name: 'Kite Studio',
    referredDaysAgo: 60,
    paid: { daysAgo: 50, rupees: 6_000 },
    disputedDaysAgo: 40,
  },
  { name: 'Saffron Foods', referredDaysAgo: 20, paid: { daysAgo: 12, rupees: 9_500 } },
  { name: 'Banyan Crafts', referredDaysAgo: 5, paid: { daysAgo: 3, rupees: 4_000 } },
  { name: 'Copper Bells', referredDaysAgo: 1 },
];

/** ₹3,000 with nothing redeemed yet, for the examples of docs/walkthroughs.md. */
const INVOICES = [
  { invoiceId: 'DEMO-INV-1001', rupees: 2_000 },
  { invoiceId: 'DEMO-INV-1002', rupees: 3_000 },
] as const;
const REDEEMED_RUPEES = 600;
const REDEEMED_DAYS_AGO = 30;

type Invoice = {
  readonly invoiceId: string;
  readonly rupees: number;
  readonly channel?: 'SMS';
};

/** Created last, so if it exists, everything exists. */
const LAST_INVOICE = { invoiceId: 'DEMO-INV-SMS', rupees: 1_500, channel: 'SMS' } as const;

/** Creates the missing parts; on later starts, it only checks that everything exists. */
export async function createDemoPartner(
  env: Readonly<Record<string, string | undefined>>,
  { organizationId }: DemoTenant,
): Promise<DemoPartner> {
  const story = await openDemoStory(env);
  try {
    const agencyOrganizationId = await story.organization('Demo agency');
    const isWhole = await story.exists(
      'SELECT 1 FROM invoices WHERE organization_id = ? AND id = ? AND registered_at IS NOT NULL',
      [organizationId, LAST_INVOICE.invoiceId],
    );
    if (!isWhole) {
      await createReferrals(story, organizationId);
      await createDemoAgency(story, agencyOrganizationId);
      await createDemoApplicant(story);
      await createInvoices(story, organizationId);
    }
    return { agencyOrganizationId };
  } finally {
    await story.close();
  }
}

async function createReferrals(story: DemoStory, organizationId: string): Promise<void> {
  for (const { name, referredDaysAgo, paid, refunded, disputedDaysAgo } of REFERRALS) {
    const referee = await refer(story, organizationId, { name, daysAgo: referredDaysAgo });
    if (paid === undefined) continue;
    const paymentId = `demo-payment-${name}`;
    await pay(story, { paymentId, organizationId: referee, ...paid });
    if (refunded !== undefined) await refund(story, { paymentId, ...refunded });
    if (disputedDaysAgo !== undefined)
      await dispute(story, { paymentId, daysAgo: disputedDaysAgo });
  }
  // The days on which the first two were due, and today.
  for (const daysAgo of [60, 45, 0]) {
    const day = story.goTo(daysAgo).toISOString().slice(0, 'YYYY-MM-DD'.length);
    await releaseDueCredits(story.deps, day);
  }
}

async function createInvoices(story: DemoStory, organizationId: string): Promise<void> {
  for (const invoice of INVOICES) await register(story, organizationId, invoice);
  await redeem(story, organizationId);
  await register(story, organizationId, LAST_INVOICE);
}

async function register(story: DemoStory, organizationId: string, invoice: Invoice): Promise<void> {
  const { invoiceId, rupees, channel } = invoice;
  const total = { total: String(rupees), currency: DEMO_CURRENCY, channel };
  const input = { organizationId, invoiceId, ...total };
  await story.asAdmin(organizationId, REDEEMED_DAYS_AGO + 1, invoiceRegister, input);
}

async function redeem(story: DemoStory, organizationId: string): Promise<void> {
  const [{ invoiceId, rupees }] = INVOICES;
  const query = 'SELECT 1 FROM redemptions WHERE organization_id = ? AND invoice_id = ?';
  if (await story.exists(query, [organizationId, invoiceId])) return;
  const amounts = { invoiceTotal: String(rupees), requestedAmount: String(REDEEMED_RUPEES) };
  const input = { invoiceId, ...amounts };
  await story.asOwner(organizationId, REDEEMED_DAYS_AGO, creditsRedeem, input);
}
