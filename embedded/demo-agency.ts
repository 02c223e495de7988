import { affiliateUpgrade } from '../graphql-api/partner/affiliate.upgrade.ts';
import { agencyAppoint } from '../graphql-api/partner/agency.appoint.ts';
import { dealLose, dealSubmitProof, dealWin } from '../graphql-api/partner/deal.advance.ts';
import { dealRegister } from '../graphql-api/partner/deal.register.ts';
import { kycApproveOf } from '../graphql-api/partner/kyc.review.ts';
import { kycSubmit } from '../graphql-api/partner/kyc.submit.ts';
import { payoutAdvance } from '../graphql-api/partner/payout.advance.ts';
import { payoutRequest } from '../graphql-api/partner/payout.request.ts';
import { DAY_MS } from '../schema/values/durations.ts';
import { pay, refer } from './demo-referrals.ts';
import type { DemoStory } from './demo-story.ts';

const APPOINTED_DAYS_AGO = 90;

/** Well-formed but unassigned. */
const KYC = {
  fullName: 'Asha Rao',
  panNumber: 'AAAPR1234A',
  panName: 'ASHA RAO',
  bankAccountNumber: '000123456789',
  bankIfsc: 'HDFC0001234',
  bankAccountHolderName: 'Asha Rao',
  entityType: 'INDIVIDUAL',
} as const;

/** ₹5,000 of commission that is old enough for a payout, of which ₹1,500 are paid out, and ₹4,000 that is not. */
const PAYMENTS = [
  { daysAgo: 70, rupees: 25_000 },
  { daysAgo: 10, rupees: 20_000 },
] as const;
const PAID_OUT = { daysAgo: 35, rupees: 1_500 } as const;
/** Waits for the review of an admin. */
const ASKED_FOR = { daysAgo: 1, rupees: 1_000 } as const;

type Deal = {
  readonly company: string;
  readonly domain: string;
  readonly daysAgo: number;
  readonly rupees: number;
  readonly proofDaysAgo?: number;
  readonly closed?:
    | { readonly daysAgo: number; readonly wonRupees: number }
    | { readonly daysAgo: number; readonly lostReason: string };
};

const DEALS: readonly Deal[] = [
  {
    company: 'Northwind Traders',
    domain: 'northwind-demo.com',
    daysAgo: 60,
    rupees: 250_000,
    proofDaysAgo: 52,
    closed: { daysAgo: 20, wonRupees: 230_000 },
  },
  {
    company: 'Contoso Retail',
    domain: 'contoso-demo.com',
    daysAgo: 45,
    rupees: 120_000,
    proofDaysAgo: 40,
    closed: { daysAgo: 15, lostReason: 'Chose to build it themselves.' },
  },
  {
    company: 'Fabrikam Logistics',
    domain: 'fabrikam-demo.com',
    daysAgo: 20,
    rupees: 480_000,
    proofDaysAgo: 11,
  },
  {
    company: 'Alpine Ski House',
    domain: 'alpine-demo.com',
    daysAgo: 50,
    rupees: 150_000,
    proofDaysAgo: 44,
    closed: { daysAgo: 6, wonRupees: 175_000 },
  },
  {
    company: 'Wingtip Media',
    domain: 'wingtip-demo.com',
    daysAgo: 16,
    rupees: 210_000,
    proofDaysAgo: 3,
  },
  // Its proof is due in two days.
  { company: 'Lamna Health', domain: 'lamna-demo.com', daysAgo: 12, rupees: 340_000 },
  { company: 'Tailspin Toys', domain: 'tailspin-demo.com', daysAgo: 4, rupees: 90_000 },
];

/** An agency with an approved KYC, cash that has and has not reached the minimum age, a paid payout, and deals. */
export async function createDemoAgency(story: DemoStory, agencyId: string): Promise<void> {
  await story.asAdmin(agencyId, APPOINTED_DAYS_AGO, agencyAppoint, {
    id: agencyId,
    domain: 'agency-demo.com',
    agreementSignedAt: new Date(Date.now() - (APPOINTED_DAYS_AGO + 1) * DAY_MS),
    agreementReference: 'DEMO-AGREEMENT-1',
  });
  await passKyc(story, agencyId);
  await earnCommissions(story, agencyId);
  await payOut(story, agencyId);
  for (const deal of DEALS) await createDeal(story, agencyId, deal);
}

async function passKyc(story: DemoStory, agencyId: string): Promise<void> {
  const query = `SELECT 1 FROM affiliate_profiles
    WHERE organization_id = ? AND kyc_status = 'KYC_APPROVED'`;
  if (await story.exists(query, [agencyId])) return;
  await story.asOwner(agencyId, 88, affiliateUpgrade, {});
  await story.asOwner(agencyId, 87, kycSubmit, { ...KYC, gstNumber: undefined });
  await story.asAdmin(agencyId, 86, kycApproveOf, { organizationId: agencyId });
}

async function earnCommissions(story: DemoStory, agencyId: string): Promise<void> {
  const client = await refer(story, agencyId, { name: 'Granite Works', daysAgo: 85 });
  for (const [index, payment] of PAYMENTS.entries()) {
    const paymentId = `demo-payment-Granite Works-${index + 1}`;
    await pay(story, { paymentId, organizationId: client, ...payment });
  }
}

async function payOut(story: DemoStory, agencyId: string): Promise<void> {
  if (await story.exists('SELECT 1 FROM payouts WHERE organization_id = ?', [agencyId])) return;
  const { daysAgo, rupees } = PAID_OUT;
  const requestedAmount = String(rupees);
  const { id } = await story.asOwner(agencyId, daysAgo, payoutRequest, { requestedAmount });
  await story.asAdmin(agencyId, daysAgo - 1, payoutAdvance, { id, to: 'PROCESSING' });
  const paid = { id, to: 'PAID', bankReference: 'DEMO-UTR-000001' } as const;
  await story.asAdmin(agencyId, daysAgo - 2, payoutAdvance, paid);
  const asked = { requestedAmount: String(ASKED_FOR.rupees) };
  await story.asOwner(agencyId, ASKED_FOR.daysAgo, payoutRequest, asked);
}

/** Another affiliate, whose KYC is pending review. */
export async function createDemoApplicant(story: DemoStory): Promise<void> {
  const agencyId = await story.organization('Demo agency: Juniper Media');
  const query = 'SELECT 1 FROM kyc_submissions WHERE organization_id = ?';
  if (await story.exists(query, [agencyId])) return;
  await story.asAdmin(agencyId, 5, agencyAppoint, {
    id: agencyId,
    domain: 'juniper-demo.com',
    agreementSignedAt: new Date(Date.now() - 6 * DAY_MS),
    agreementReference: 'DEMO-AGREEMENT-2',
  });
  await story.asOwner(agencyId, 2, affiliateUpgrade, {});
  await story.asOwner(agencyId, 1, kycSubmit, {
    fullName: 'Juniper Media LLP',
    panNumber: 'AAAFJ5678B',
    panName: 'JUNIPER MEDIA LLP',
    gstNumber: undefined,
    bankAccountNumber: '000987654321',
    bankIfsc: 'ICIC0004321',
    bankAccountHolderName: 'Juniper Media LLP',
    entityType: 'LLP',
  });
}

async function createDeal(story: DemoStory, agencyId: string, deal: Deal): Promise<void> {
  const { company, domain, daysAgo, rupees, proofDaysAgo, closed } = deal;
  const query = 'SELECT 1 FROM agency_deals WHERE organization_id = ? AND prospect_domain = ?';
  if (await story.exists(query, [agencyId, domain])) return;
  story.goTo(daysAgo);
  const newDeal = {
    prospectCompanyName: company,
    prospectDomain: domain,
    prospectContactEmail: `buying@${domain}`,
    estimatedDealValue: String(rupees),
    notes: '',
  };
  const { id } = await dealRegister(story.contextOf(agencyId, 'owner'), newDeal, undefined);
  if (proofDaysAgo !== undefined)
    await story.asOwner(agencyId, proofDaysAgo, dealSubmitProof, {
      id,
      proofType: 'PROPOSAL_SENT',
      proofDocumentUrl: `https://agency-demo.com/proposals/${domain}.pdf`,
      notes: '',
    });
  if (closed === undefined) return;
  if ('wonRupees' in closed) {
    const won = { id, actualDealValue: String(closed.wonRupees) };
    await story.asAdmin(agencyId, closed.daysAgo, dealWin, won);
  } else {
    const lost = { id, reason: closed.lostReason };
    await story.asAdmin(agencyId, closed.daysAgo, dealLose, lost);
  }
}
