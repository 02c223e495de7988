// When a domain is free again: reads and registrations use the clock, and a job records what expired.

import { describe, expect, test } from 'vitest';
import { expireDeals } from '../../../graphql-api/partner/expire-deals.job.ts';
import {
  agency,
  type Deal,
  dealBody,
  dealNode,
  lost,
  PROOF,
  proofPath,
  proven,
  REGISTER,
  registered,
  won,
} from './agencies.ts';
import { organizationNode, useClockedApi } from './clocked-api.ts';

const api = useClockedApi();

describe('a domain is free again', () => {
  const takeover = async (deal: Deal) =>
    (await agency(api())).post(REGISTER, dealBody({ prospect_domain: deal.prospect_domain }));

  test('after 14 days without a proof, to the millisecond, without a job', async () => {
    const deal = await registered(await agency(api()));
    api().setClock(deal.proof_due_at);
    expect((await takeover(deal)).status).toBe(409);
    api().setClock(new Date(Date.parse(deal.proof_due_at) + 1).toISOString());
    expect((await takeover(deal)).status).toBe(201);
    const [row] = await api().sql(
      'SELECT status, status_reason, closed_at, is_exclusive FROM agency_deals WHERE id = $1',
      [deal.id],
    );
    expect(row).toEqual({
      status: 'EXPIRED',
      status_reason: 'PROOF_NOT_SUBMITTED',
      closed_at: new Date(deal.proof_due_at),
      is_exclusive: false,
    });
    const entries = await api().sql(
      `SELECT actor_id, before, after FROM audit_log
       WHERE subject_id = $1 AND action = 'agency_deal.expire'`,
      [deal.id],
    );
    expect(entries).toEqual([
      {
        actor_id: 'system',
        before: { status: 'REGISTERED' },
        after: { status: 'EXPIRED', statusReason: 'PROOF_NOT_SUBMITTED' },
      },
    ]);
  });

  test('after 90 days, with or without a proof', async () => {
    const deal = await proven(await agency(api()));
    api().setClock(new Date(Date.parse(deal.locked_until) - 1).toISOString());
    expect((await takeover(deal)).status).toBe(409);
    api().setClock(deal.locked_until);
    expect((await takeover(deal)).status).toBe(201);
  });

  test('after the deal is lost or withdrawn; after the 90 days if it is won', async () => {
    const admin = await api().admin();
    const owner = await agency(api());
    const deals = [await proven(owner), await proven(owner), await registered(owner)] as const;
    const [toWin, toLose, toWithdraw] = deals;
    await won(admin, toWin);
    await lost(admin, toLose);
    await owner.mutate('dealWithdraw', '', { id: dealNode(toWithdraw) });
    expect((await takeover(toWin)).json()).toMatchObject({ detail: 'DEAL_LOCKED' });
    expect((await takeover(toLose)).status).toBe(201);
    expect((await takeover(toWithdraw)).status).toBe(201);
    api().setClock(toWin.locked_until);
    expect((await takeover(toWin)).status).toBe(201);
    const [row] = await api().sql('SELECT status FROM agency_deals WHERE id = $1', [toWin.id]);
    expect(row).toEqual({ status: 'WON' });
  });

  test('one of 30 agencies that concurrently take over an overdue deal gets it', async () => {
    const deal = await registered(await agency(api()));
    api().advanceDays(15);
    const owners = await Promise.all(Array.from({ length: 30 }, () => agency(api())));
    const body = dealBody({ prospect_domain: deal.prospect_domain });
    const [answers] = await Promise.all([
      Promise.all(owners.map(owner => owner.post(REGISTER, body))),
      api().runJob(expireDeals),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array(29).fill(409)]);
    const entries = await api().sql(
      `SELECT 1 FROM audit_log WHERE subject_id = $1 AND action = 'agency_deal.expire'`,
      [deal.id],
    );
    expect(entries).toHaveLength(1);
  });
});

test('the job records expiries that reads already return, each once', async () => {
  const owner = await agency(api());
  const deals = [await registered(owner), await proven(owner), await registered(owner)] as const;
  await owner.mutate('dealWithdraw', '', { id: dealNode(deals[2]) });
  const shown = async () =>
    (await owner.graph(
      '{ agencyDeals(first: 10) { nodes { prospectDomain status statusReason closedAt } } }',
    )) as { agencyDeals: { nodes: { status: string }[] } };
  for (const [days, statuses] of [
    [15, ['WITHDRAWN', 'PROOF_SUBMITTED', 'EXPIRED']],
    [76, ['WITHDRAWN', 'EXPIRED', 'EXPIRED']],
  ] as const) {
    api().advanceDays(days);
    const before = await shown();
    expect(before.agencyDeals.nodes.map(({ status }) => status)).toEqual(statuses);
    await api().runJob(expireDeals);
    await api().runJob(expireDeals);
    expect(await shown()).toEqual(before);
  }
  const entries = await api().sql(
    `SELECT after->>'statusReason' AS reason FROM audit_log
     WHERE organization_id = $1 AND action = 'agency_deal.expire' ORDER BY created_at`,
    [owner.organizationId],
  );
  expect(entries).toEqual([{ reason: 'PROOF_NOT_SUBMITTED' }, { reason: 'EXCLUSIVITY_ENDED' }]);
});

test('lists by status also use the clock', async () => {
  const owner = await agency(api());
  const late = await registered(owner);
  api().advanceDays(15);
  const [fresh, shown] = [await registered(owner), await proven(owner)];
  const admin = await api().admin();
  const domains = async (status: string) => {
    const args = `first: 10, status: ${status}`;
    const { agencyDeals } = (await owner.graph(
      `{ agencyDeals(${args}) { nodes { prospectDomain } } }`,
    )) as { agencyDeals: { nodes: { prospectDomain: string }[] } };
    const { platformDeals } = (await admin.graph(
      `query ($id: ID!) { platformDeals(${args}, organizationId: $id) { nodes { prospectDomain proofs { proofType } } } }`,
      { id: organizationNode(owner) },
    )) as { platformDeals: { nodes: { prospectDomain: string; proofs: unknown[] }[] } };
    const found = agencyDeals.nodes.map(deal => deal.prospectDomain);
    expect(platformDeals.nodes.map(deal => deal.prospectDomain)).toEqual(found);
    expect(
      platformDeals.nodes.every(
        ({ proofs }) => proofs.length === (status === 'PROOF_SUBMITTED' ? 1 : 0),
      ),
    ).toBe(true);
    return found;
  };
  expect(await domains('EXPIRED')).toEqual([late.prospect_domain]);
  expect(await domains('REGISTERED')).toEqual([fresh.prospect_domain]);
  expect(await domains('PROOF_SUBMITTED')).toEqual([shown.prospect_domain]);
  expect(await domains('WON')).toEqual([]);
  expect((await owner.post(proofPath(late), PROOF)).status).toBe(409);
});
