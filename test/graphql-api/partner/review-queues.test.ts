import { expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { createKycSubmission } from '../harness/partner.ts';
import { agency, PROOF, proofPath, registered } from './agencies.ts';
import { useClockedApi } from './clocked-api.ts';
import { programOf } from './program.ts';

const api = useClockedApi();

const QUEUES = `{ partnerReviewQueues {
  kycSubmissions { count oldestAt } payouts { count oldestAt } deals { count oldestAt }
} }`;
const EMPTY = { count: 0, oldestAt: null };

type Queue = { readonly count: number; readonly oldestAt: string | null };

async function queues() {
  const { partnerReviewQueues } = await (await api().admin()).graph(QUEUES);
  return partnerReviewQueues as Record<'kycSubmissions' | 'payouts' | 'deals', Queue>;
}

test('the review queues have their lengths and the age of the oldest item', async () => {
  expect(await queues()).toEqual({ kycSubmissions: EMPTY, payouts: EMPTY, deals: EMPTY });
  await createKycSubmission(await api().organization(), api().sql);
  expect((await queues()).kycSubmissions).toEqual({ count: 1, oldestAt: expect.any(String) });

  const program = await programOf(api());
  const affiliate = await program.withCash(2000);
  api().advanceDays(30);
  const requestedOn = api().today();
  for (const _ of [1, 2]) {
    await affiliate.post('/api/v1/affiliates/payouts/request', { requested_amount: 1000 });
    api().advanceDays(1);
  }
  const { payouts } = await queues();
  expect(payouts.count).toBe(2);
  expect(payouts.oldestAt!.slice(0, 10)).toBe(requestedOn);
});

test('a deal is in its queue from its first proof until it is decided or no longer exclusive', async () => {
  const owner = await agency(api());
  const deals = [await registered(owner), await registered(owner)];
  expect((await queues()).deals).toEqual(EMPTY);
  const provenOn = api().today();
  for (const deal of [...deals, ...deals]) {
    await owner.post(proofPath(deal), PROOF);
    api().advanceDays(1);
  }
  const both = (await queues()).deals;
  expect(both.count).toBe(2);
  expect(both.oldestAt!.slice(0, 10)).toBe(provenOn);

  const admin = await api().admin();
  const id = encodeNodeId('AgencyDeal', deals[0]!.id);
  await admin.mutate('dealLose', '__typename', { id, input: { reason: 'They chose another.' } });
  expect((await queues()).deals.count).toBe(1);
  api().advanceDays(90);
  expect((await queues()).deals).toEqual(EMPTY);
});

test('owners cannot read the review queues', async () => {
  const owner = await api().owner();
  await expect(owner.graph(QUEUES)).rejects.toThrow('FORBIDDEN');
});
