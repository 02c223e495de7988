import { mintId } from '../../schema/gateway/minted-id.ts';
import { Decimal, type ExactJson, Pairs, textField } from '../../schema/values/exact-json.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { GatewayRequest } from './client/gateway-client.ts';
import {
  amountMinorOf,
  customerOnWire,
  decimalAmount,
  returnTo,
  saysAmount,
  timeOf,
} from './client/wire-values.ts';
import { makeAtGateway } from './make-at-gateway.ts';
import type { GatewayOrderCreate } from './order.contract.ts';
import { GatewayOrder, type OrderSplit } from './order.entity.ts';
import { WORKSPACE_TAG } from './tags.contract.ts';
import { GatewayVendor } from './vendor.entity.ts';

const NAMES = { amount: 'order_amount', currency: 'order_currency' };
/** Percentages have at most two decimals. */
const HUNDREDTHS = 100;
const WHOLE_IN_HUNDREDTHS = 10_000n;

export const gatewayOrderCreate = makeAtGateway<GatewayOrder, GatewayOrderCreate>({
  entity: GatewayOrder,
  noun: 'gateway_order',
  async draft(scope, input, { id, account }) {
    const { amount, currency, note, tags, expiresAt } = input;
    const workspaceId = scope.viewer.workspaceId!;
    const orderId = mintId('order', workspaceId, id);
    const amountMinor = amountMinorOf(amount, currency);
    const splits = await splitsOf(scope, input, { amountMinor, accountId: account.accountId });
    return {
      columns: {
        orderId,
        amountMinor,
        currency,
        note: note ?? null,
        tags: [[WORKSPACE_TAG, workspaceId], ...tags],
        splits,
        expiresAt: expiresAt ?? null,
      },
      shown: { orderId, amount, currency, splits: splits.length },
    };
  },
  create,
  look: ({ orderId }) => ({ method: 'GET', path: ['orders', orderId], call: 'getOrder' }),
  read,
  isSame: (body, row) => saysAmount(body, NAMES, row),
  isAnswered: ({ paymentSessionId }) => paymentSessionId != null,
});

/**
 * Validates the splits: the vendors are in the same merchant account and ACTIVE, and the parts do
 * not exceed the order amount.
 */
async function splitsOf(
  { em, viewer }: ActionScope,
  { splits, currency }: GatewayOrderCreate,
  { amountMinor, accountId }: { readonly amountMinor: bigint; readonly accountId: string },
): Promise<readonly OrderSplit[]> {
  if (splits.length === 0) return [];
  const ids = splits.map(({ id }) => id);
  const where = { id: [...ids], workspaceId: viewer.workspaceId!, accountId };
  const vendors = new Map((await em.find(GatewayVendor, where)).map(vendor => [vendor.id, vendor]));
  let sumMinor = 0n;
  let sumHundredths = 0n;
  const checked = splits.map(({ id, amount, percentage }, at): OrderSplit => {
    const vendor = vendors.get(id);
    const field = ['splits', String(at), 'id'];
    if (vendor === undefined)
      return reject('NOT_FOUND', {
        field,
        message: 'No vendor exists with this ID in the workspace.',
      });
    if (vendor.status !== 'ACTIVE')
      return reject('GATEWAY_STATUS', {
        field,
        message: `The vendor is ${vendor.status}; only a vendor that is ACTIVE can be paid.`,
      });
    if (amount == null) {
      sumHundredths += BigInt(Math.round(Number(percentage) * HUNDREDTHS));
      return { vendorId: vendor.vendorId, percentage: percentage! };
    }
    const minor = amountMinorOf(amount, currency, 'splits');
    sumMinor += minor;
    return { vendorId: vendor.vendorId, amountMinor: String(minor) };
  });
  const leftHundredths = WHOLE_IN_HUNDREDTHS - sumHundredths;
  if (sumMinor * WHOLE_IN_HUNDREDTHS > amountMinor * leftHundredths)
    reject('BAD_USER_INPUT', {
      field: ['splits'],
      message: 'splits must not add up to more than the amount.',
    });
  return checked;
}

function create(row: GatewayOrder, input: GatewayOrderCreate): GatewayRequest {
  const { orderId, currency, splits } = row;
  return {
    method: 'POST',
    path: ['orders'],
    call: 'createOrder',
    idempotencyKey: orderId,
    body: {
      order_id: orderId,
      order_amount: decimalAmount(row.amountMinor, currency),
      order_currency: currency,
      customer_details: { customer_id: input.customer.id, ...customerOnWire(input.customer) },
      order_meta: returnTo(input.returnUrl),
      order_note: row.note ?? undefined,
      order_expiry_time: row.expiresAt?.toISOString(),
      order_tags: new Pairs(row.tags),
      order_splits:
        splits.length === 0 ? undefined : splits.map(split => splitOnWire(split, currency)),
    },
  };
}

function splitOnWire({ vendorId, amountMinor, percentage }: OrderSplit, currency: string) {
  const part =
    amountMinor === undefined
      ? { percentage: new Decimal(percentage!) }
      : { amount: decimalAmount(BigInt(amountMinor), currency) };
  return { vendor_id: vendorId, ...part };
}

/** Later statuses come from events only, so that each takes effect once. */
function read(body: ExactJson, row: GatewayOrder) {
  return {
    status: 'ACTIVE',
    cfId: textField(body, 'cf_order_id') ?? null,
    paymentSessionId: textField(body, 'payment_session_id') ?? null,
    expiresAt: timeOf(body, 'order_expiry_time') ?? row.expiresAt ?? null,
  };
}
