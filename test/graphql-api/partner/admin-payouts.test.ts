// Mutations and queries about payouts for platform admins.

import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { encodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';
import { useAdmin, wallet } from './admin-actions.ts';
import { type Caller, organizationNode } from './clocked-api.ts';

const { api, program, admin, errorsOf } = useAdmin();

async function requested(amount = 1000): Promise<{ affiliate: Caller; id: string }> {
  const affiliate = await program().withCash(amount * 2);
  api().advanceDays(30);
  const answer = await affiliate.post('/api/v1/affiliates/payouts/request', {
    requested_amount: amount,
  });
  const { id } = answer.json().payout as { id: string };
  return { affiliate, id: encodeNodeId('Payout', id) };
}

const SHOWN = 'payout { status bankReference reason paidAt closedAt }';

describe('payouts', () => {
  test('are sent to the bank and paid, and the ledger is updated', async () => {
    const { affiliate, id } = await requested();
    const processing = await admin().mutate('payoutAdvance', SHOWN, {
      id,
      input: { to: 'PROCESSING' },
    });
    expect(processing).toMatchObject({ payout: { status: 'PROCESSING' }, userErrors: [] });
    expect(await wallet(affiliate)).toMatchObject({ cash_balance: 1000, cash_withdrawn: 0 });
    const input = { to: 'PAID', bankReference: 'UTR-1' };
    const paid = await admin().mutate('payoutAdvance', SHOWN, { id, input });
    expect(paid).toMatchObject({ payout: { status: 'PAID', bankReference: 'UTR-1' } });
    expect(await wallet(affiliate)).toMatchObject({ cash_balance: 1000, cash_withdrawn: 1000 });
    // A repeat is a no-op; a different reference is refused.
    expect(await errorsOf('payoutAdvance', { id, input })).toEqual([]);
    expect(
      await errorsOf('payoutAdvance', { id, input: { to: 'PAID', bankReference: 'UTR-2' } }),
    ).toEqual(['PAYOUT_STATUS id']);
    const [item] = (await affiliate.get('/api/v1/affiliates/payouts')).json().items as unknown[];
    expect(item).toMatchObject({ status: 'PAID', bank_reference: 'UTR-1', net_amount: 980 });
  });

  test.for([
    ['REJECTED', []],
    ['FAILED', ['PROCESSING']],
    ['REVERSED', ['PROCESSING', 'PAID']],
  ] as const)('%s returns the cash', async ([to, before]) => {
    const { affiliate, id } = await requested();
    for (const step of before) {
      const input = { to: step, ...(step === 'PAID' && { bankReference: 'UTR' }) };
      expect(await errorsOf('payoutAdvance', { id, input })).toEqual([]);
    }
    const input = { to, reason: 'account closed' };
    const closed = await admin().mutate('payoutAdvance', SHOWN, { id, input });
    expect(closed).toMatchObject({ payout: { status: to, reason: 'account closed' } });
    expect(await wallet(affiliate)).toMatchObject({ cash_balance: 2000, cash_withdrawn: 0 });
  });

  test('allow no other transitions', async () => {
    const { id } = await requested();
    for (const input of [
      { to: 'PAID', bankReference: 'UTR' },
      { to: 'FAILED', reason: 'x' },
      { to: 'REVERSED', reason: 'x' },
    ])
      expect(await errorsOf('payoutAdvance', { id, input })).toEqual(['PAYOUT_STATUS id']);
  });

  test.for([
    [{ to: 'PAID' }, 'bankReference'],
    [{ to: 'PAID', bankReference: '' }, 'bankReference'],
    [{ to: 'PROCESSING', reason: 'x' }, 'reason'],
    [{ to: 'REJECTED' }, 'reason'],
    [{ to: 'REJECTED', reason: 'x', bankReference: 'UTR' }, 'bankReference'],
  ] as const)('require exactly the fields of the status: %j', async ([input, field]) => {
    const { id } = await requested();
    expect(await errorsOf('payoutAdvance', { id, input })).toEqual([
      `BAD_USER_INPUT input.${field}`,
    ]);
  });

  test('are moved in bulk, all or none, with an error for each failed one', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => requested()));
    const payouts = made.map(({ id }) => ({ id, to: 'PROCESSING' }));
    const first = await admin().mutate('payoutBulkAdvance', 'payouts { id status }', {
      input: { payouts },
    });
    expect(first).toEqual({
      payouts: made.map(({ id }) => ({ id, status: 'PROCESSING' })),
      userErrors: [],
    });
    const mixed = made.map(({ id }, index) =>
      index === 2
        ? { id, to: 'REJECTED', reason: 'x' }
        : { id, to: 'PAID', bankReference: `U${index}` },
    );
    expect(await errorsOf('payoutBulkAdvance', { input: { payouts: mixed } })).toEqual([
      'PAYOUT_STATUS input.payouts.2.id',
    ]);
    for (const { affiliate } of made) expect((await wallet(affiliate)).cash_withdrawn).toBe(0);
    const missing = [...payouts, { id: encodeNodeId('Payout', uuidv7()), to: 'PROCESSING' }];
    expect(await errorsOf('payoutBulkAdvance', { input: { payouts: missing } })).toEqual([
      'NOT_FOUND input.payouts.4.id',
    ]);
    expect(
      await errorsOf('payoutBulkAdvance', { input: { payouts: [payouts[0], payouts[0]] } }),
    ).toEqual(['BAD_USER_INPUT input.payouts']);
    const many = Array.from({ length: 101 }, () => payouts[0]!);
    expect(await errorsOf('payoutBulkAdvance', { input: { payouts: many } })).toEqual([
      'BAD_USER_INPUT input.payouts',
    ]);
  });

  test('two concurrent bulk operations in opposite orders both complete', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => requested()));
    const payouts = made.map(({ id }) => ({ id, to: 'PROCESSING' }));
    const answers = await Promise.all(
      [payouts, payouts.toReversed()].map(list =>
        errorsOf('payoutBulkAdvance', { input: { payouts: list } }),
      ),
    );
    expect(answers).toEqual([[], []]);
  });

  test('of all organizations are listed, by status and organization', async () => {
    const { affiliate, id } = await requested();
    const organizationId = organizationNode(affiliate);
    const document = `query ($organizationId: ID, $status: PayoutStatus) {
      platformPayouts(first: 10, organizationId: $organizationId, status: $status) {
        nodes { id organizationId organizationName }
      }
    }`;
    const organizationName = `Organisation ${affiliate.organizationId}`;
    expect(await admin().graph(document, { organizationId, status: 'REQUESTED' })).toEqual({
      platformPayouts: { nodes: [{ id, organizationId, organizationName }] },
    });
    expect(await admin().graph(document, { organizationId, status: 'PAID' })).toEqual({
      platformPayouts: { nodes: [] },
    });
  });
});
