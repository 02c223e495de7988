import { sql } from '../../harness/tenant.ts';
import type { ApiWithGateway } from '../harness/gateway.ts';
import { type Merchant, make, ORDER_INPUT, recordPayment } from '../harness/gateway.ts';

/** Paid orders, and the calls that reached the gateway. */
export function gatewayCalls({ api, gateway }: ApiWithGateway) {
  /** Creates an order and the events of its payment. */
  async function paidOrder(merchant: Merchant, amount = '100.00'): Promise<string> {
    const { made } = await make<Shown>(
      api(),
      merchant,
      'gatewayOrderCreate',
      { ...ORDER_INPUT, amount },
      {
        shown: 'orderId',
      },
    );
    const { orderId } = made!;
    const { cfPaymentId } = await gateway().control(`orders/${orderId}/pay`);
    await recordPayment(merchant, {
      accountId: merchant.workspaceId,
      cfPaymentId: cfPaymentId!,
      amountMinor: BigInt(amount.replace('.', '')),
      orderId: orderId!,
    });
    return cfPaymentId!;
  }

  async function faultNext({ clientId }: Merchant, on: string, kind: string, times = 1) {
    await gateway().control('faults', { clientId, on, kind, times: String(times) });
  }

  async function callsOf({ clientId }: Merchant, on: string) {
    return (await gateway().calls(on)).filter(call => call.clientId === clientId);
  }
  return { paidOrder, faultNext, callsOf };
}

export type Shown = Record<string, string>;

export async function rowsOf({ workspaceId }: Merchant, table: string) {
  return sql(`SELECT * FROM ${table} WHERE workspace_id = $1`, [workspaceId]);
}
