import { expect, test } from 'vitest';
import {
  agency,
  DASHBOARD,
  type Deal,
  dealNode,
  lost,
  proven,
  registered,
  won,
} from './agencies.ts';
import { useClockedApi } from './clocked-api.ts';

const api = useClockedApi();
const NONE = { REGISTERED: 0, PROOF_SUBMITTED: 0, WON: 0, LOST: 0, EXPIRED: 0, WITHDRAWN: 0 };

test('200: empty at first, exactly the contract’s fields', async () => {
  const owner = await agency(api());
  const answer = await owner.get(DASHBOARD);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json()).toEqual({
    deal_counts: NONE,
    pipeline: { estimated_value: 0, actual_value: 0 },
    win_rate: 0,
    recent_deals: [],
  });
});

test('200: open deals by expected value, won ones by actual value; equal to GraphQL', async () => {
  const admin = await api().admin();
  const owner = await agency(api());
  const other = await agency(api());
  await registered(other);
  const expired = await registered(owner, { estimated_deal_value: 1 });
  api().advanceDays(15);
  const open = await registered(owner, { estimated_deal_value: 1_000.5 });
  const shown = await proven(owner, { estimated_deal_value: 2_000.25 });
  const [wonFirst, wonSecond, toLose, toWithdraw] = [
    await proven(owner),
    await proven(owner),
    await proven(owner),
    await proven(owner),
  ];
  await won(admin, wonFirst, '10000.10');
  await won(admin, wonSecond, '20000.20');
  await lost(admin, toLose);
  await owner.mutate('dealWithdraw', '', { id: dealNode(toWithdraw) });

  const member = await api().caller(owner.organizationId, 'member');
  const dashboard = (await member.get(DASHBOARD)).json() as {
    deal_counts: Record<string, number>;
    pipeline: { estimated_value: number; actual_value: number };
    win_rate: number;
    recent_deals: Deal[];
  };
  expect(dashboard).toMatchObject({
    deal_counts: {
      REGISTERED: 1,
      PROOF_SUBMITTED: 1,
      WON: 2,
      LOST: 1,
      EXPIRED: 1,
      WITHDRAWN: 1,
    },
    pipeline: { estimated_value: 3_000.75, actual_value: 30_000.3 },
    win_rate: 0.6667,
  });
  expect(dashboard.recent_deals.map(({ id, status }) => [id, status])).toEqual([
    [toWithdraw.id, 'WITHDRAWN'],
    [toLose.id, 'LOST'],
    [wonSecond.id, 'WON'],
    [wonFirst.id, 'WON'],
    [shown.id, 'PROOF_SUBMITTED'],
    [open.id, 'REGISTERED'],
    [expired.id, 'EXPIRED'],
  ]);
  expect(dashboard.recent_deals[0]).toMatchObject({ proof: { proof_type: 'PROPOSAL_SENT' } });

  const { agencyDashboard } = (await member.graph(
    `{ agencyDashboard {
         dealCounts { registered proofSubmitted won lost expired withdrawn }
         estimatedValue { amount currencyCode } actualValue { amount } winRate
         recentDeals { id status statusReason closedAt prospectDomain estimatedDealValue { amount }
                       actualDealValue { amount } lockedUntil proofs { proofType } } } }`,
  )) as { agencyDashboard: Record<string, unknown> & { recentDeals: Record<string, unknown>[] } };
  const { recentDeals, ...atAGlance } = agencyDashboard;
  expect(atAGlance).toEqual({
    dealCounts: {
      registered: 1,
      proofSubmitted: 1,
      won: 2,
      lost: 1,
      expired: 1,
      withdrawn: 1,
    },
    estimatedValue: { amount: '3000.75', currencyCode: 'INR' },
    actualValue: { amount: '30000.30' },
    winRate: 0.6667,
  });
  for (const [index, deal] of dashboard.recent_deals.entries())
    expect(recentDeals[index]).toEqual({
      id: dealNode(deal),
      status: deal.status,
      statusReason: deal.status_reason,
      closedAt: deal.closed_at,
      prospectDomain: deal.prospect_domain,
      estimatedDealValue: { amount: Number(deal.estimated_deal_value).toFixed(2) },
      actualDealValue:
        deal.actual_deal_value === null
          ? null
          : { amount: Number(deal.actual_deal_value).toFixed(2) },
      lockedUntil: deal.locked_until,
      proofs: deal.proof === null ? [] : [{ proofType: 'PROPOSAL_SENT' }],
    });
});

test('200: the newest 20 deals, with counts of all deals', async () => {
  const owner = await agency(api());
  const deals: Deal[] = [];
  for (let i = 0; i < 23; i++) deals.push(await registered(owner));
  const { deal_counts, recent_deals } = (await owner.get(DASHBOARD)).json() as {
    deal_counts: Record<string, number>;
    recent_deals: Deal[];
  };
  expect(deal_counts.REGISTERED).toBe(23);
  expect(recent_deals.map(({ id }) => id)).toEqual(
    deals
      .slice(-20)
      .reverse()
      .map(({ id }) => id),
  );
});

test('403 NOT_AGENCY: for other organizations', async () => {
  const owner = await api().owner();
  const answer = await owner.get(DASHBOARD);
  expect(answer.status).toBe(403);
  expect(answer.json()).toEqual({ detail: 'NOT_AGENCY' });
});
