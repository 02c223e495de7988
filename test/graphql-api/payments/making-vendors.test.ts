// Creates vendors, and orders that they share, over HTTP, down to the gateway.

import { describe, expect, test } from 'vitest';
import { sql } from '../../harness/tenant.ts';
import {
  createMerchant,
  make,
  ORDER_INPUT,
  useApiWithGateway,
  VENDOR_INPUT,
} from '../harness/gateway.ts';
import { mutate, refusals } from '../harness/mutate.ts';
import { gatewayCalls, rowsOf, type Shown } from './making-scene.ts';

// Short, because some of these calls hang, but long enough for a busy machine.
const parts = useApiWithGateway({ GATEWAY_TIMEOUT_MS: '1500' });
const { api, gateway } = parts;

const { callsOf } = gatewayCalls(parts);

describe.concurrent('a vendor', () => {
  test('can be updated while its KYC is pending, and deleted only while it is active', async () => {
    const merchant = await createMerchant(parts);
    const { made } = await make<Shown>(api(), merchant, 'gatewayVendorCreate', VENDOR_INPUT, {
      shown: 'id status vendorId receiver',
    });
    expect(made).toMatchObject({ status: 'IN_BENE_CREATION', receiver: '…@bank' });
    const [call] = await callsOf(merchant, 'POST /easy-split/vendors');
    expect(call!.body).toContain('"vendor_capabilities":["UPI"]');
    const asker = { api: api(), tenant: merchant };
    const id = made!.id!;
    const become = async (status: string) => {
      await gateway().control(`vendors/${made!.vendorId}/status`, { status });
      await sql('UPDATE gateway_vendors SET status = $1 WHERE vendor_id = $2', [
        status,
        made!.vendorId,
      ]);
    };
    await become('KYC_PENDING');
    const edit = { id, input: { name: 'Asha and Sons' } };
    await mutate(asker, 'gatewayVendorUpdate', edit, '__typename');
    expect(await refusals(asker, 'gatewayVendorDelete', { id })).toEqual(['GATEWAY_STATUS id']);
    await become('ACTIVE');
    const { gatewayVendor } = await mutate<{ gatewayVendor: Shown }>(
      asker,
      'gatewayVendorDelete',
      { id },
      'gatewayVendor { status name }',
    );
    expect(gatewayVendor).toEqual({ status: 'DELETED', name: 'Asha and Sons' });
  });

  test('with a bank account needs no capabilities, and only the last digits are stored', async () => {
    const merchant = await createMerchant(parts);
    const bank = {
      accountNumber: '026291800001191',
      ifsc: 'YESB0000262',
      accountHolder: 'Asha Rao',
    };
    const input = { ...VENDOR_INPUT, upi: undefined, bank };
    const { made } = await make<Shown>(api(), merchant, 'gatewayVendorCreate', input, {
      shown: 'receiver receivesBy',
    });
    expect(made).toEqual({ receiver: '…1191', receivesBy: 'BANK' });
    const [call] = await callsOf(merchant, 'POST /easy-split/vendors');
    expect(call!.body).not.toContain('vendor_capabilities');
    expect(JSON.stringify(await rowsOf(merchant, 'gateway_vendors'))).not.toContain(
      '026291800001191',
    );
  });

  test('of the business type Other is refused, with the fields to send instead', async () => {
    const merchant = await createMerchant(parts);
    const input = { ...VENDOR_INPUT, businessType: 'Other' };
    const { codes, messages } = await make(api(), merchant, 'gatewayVendorCreate', input);
    expect(codes).toEqual(['BAD_USER_INPUT']);
    expect(messages[0]).toContain('Miscellaneous');
    expect(await callsOf(merchant, 'POST /easy-split')).toEqual([]);
  });

  test('gets its part of an order once it is active, never more than the total', async () => {
    const merchant = await createMerchant(parts);
    const { made } = await make<Shown>(api(), merchant, 'gatewayVendorCreate', VENDOR_INPUT, {
      shown: 'id vendorId',
    });
    const order = (split: Record<string, string>) =>
      make<Shown>(
        api(),
        merchant,
        'gatewayOrderCreate',
        {
          ...ORDER_INPUT,
          splits: [{ id: made!.id, ...split }],
        },
        { shown: 'splits { vendorId percentage amount { amount } }' },
      );
    expect((await order({ percentage: '10' })).codes).toEqual(['GATEWAY_STATUS']);
    await gateway().control(`vendors/${made!.vendorId}/status`, { status: 'ACTIVE' });
    await sql(`UPDATE gateway_vendors SET status = 'ACTIVE' WHERE vendor_id = $1`, [
      made!.vendorId,
    ]);
    expect((await order({ amount: '170.51' })).codes).toEqual(['BAD_USER_INPUT']);
    expect((await order({ amount: '170.50' })).made).toEqual({
      splits: [{ vendorId: made!.vendorId, percentage: null, amount: { amount: '170.50' } }],
    });
    const calls = await callsOf(merchant, 'POST /orders');
    expect(calls.at(-1)!.body).toContain(
      `"order_splits":[{"vendor_id":"${made!.vendorId}","amount":170.50}]`,
    );
  });
});

test('vendors can share the whole amount of an order, to the last hundredth', async () => {
  const merchant = await createMerchant(parts);
  // As binary fractions, their sum exceeds 100.
  const splits = await Promise.all(
    ['14.21', '49.84', '35.95'].map(async percentage => {
      const { made } = await make<Shown>(api(), merchant, 'gatewayVendorCreate', VENDOR_INPUT, {
        shown: 'id vendorId',
      });
      await gateway().control(`vendors/${made!.vendorId}/status`, { status: 'ACTIVE' });
      return { id: made!.id, percentage };
    }),
  );
  await sql(`UPDATE gateway_vendors SET status = 'ACTIVE' WHERE workspace_id = $1`, [
    merchant.workspaceId,
  ]);
  const order = (list: object[]) =>
    make<Shown>(api(), merchant, 'gatewayOrderCreate', { ...ORDER_INPUT, splits: list });
  expect((await order(splits)).made).toMatchObject({ status: 'ACTIVE' });
  const more = splits.with(2, { ...splits[2]!, percentage: '35.96' });
  expect((await order(more)).codes).toEqual(['BAD_USER_INPUT']);
});
