// Reads facts about money that leaves the merchant or the gateway: disputes and settlements.

import { gatewayTimeMs } from '../../../schema/gateway/gateway-time.ts';
import { type ExactObject, objectField, textField } from '../../../schema/values/exact-json.ts';
import type { DisputeFact, SettlementFact } from './facts.ts';
import { amountAt, nested, reasonOf, required, wordAt } from './read-values.ts';

export function readDispute(data: ExactObject, atMs: number | undefined): DisputeFact {
  const dispute = nested(data, 'dispute');
  const order = objectField(data, 'order_details');
  const amount = amountAt(dispute, ['dispute_amount'], ['dispute_amount_currency']);
  return {
    kind: 'dispute',
    disputeId: required(textField(dispute, 'dispute_id'), 'dispute_id'),
    type: required(wordAt(dispute, 'dispute_type'), 'dispute_type'),
    status: required(wordAt(dispute, 'dispute_status'), 'dispute_status'),
    cfPaymentId: wordAt(order, 'cf_payment_id') ?? wordAt(dispute, 'cf_payment_id'),
    orderId: wordAt(order, 'order_id') ?? wordAt(dispute, 'order_id'),
    amountMinor: amount?.amountMinor,
    currency: amount && (wordAt(order, 'order_currency', 'payment_currency') ?? amount.currency),
    reasonCode: wordAt(dispute, 'reason_code'),
    reason: reasonOf(textField(dispute, 'reason_description')),
    respondByMs: gatewayTimeMs(wordAt(dispute, 'respond_by')),
    // Prefer the dispute's own time, because the event may be sent much later.
    atMs: gatewayTimeMs(wordAt(dispute, 'updated_at')) ?? atMs,
  };
}

export function readSettlement(
  data: ExactObject,
  atMs: number | undefined,
  status: string,
): SettlementFact {
  const settlement = nested(data, 'settlement');
  const amount = amountAt(
    settlement,
    ['amount_settled', 'settlement_amount', 'settled_amount', 'payment_amount'],
    ['settlement_currency', 'currency'],
  );
  return {
    kind: 'settlement',
    settlementId: required(
      wordAt(settlement, 'settlement_id', 'cf_settlement_id'),
      'settlement_id',
    ),
    vendorId: wordAt(settlement, 'vendor_id'),
    status,
    amountMinor: amount?.amountMinor,
    currency: amount?.currency,
    bankReference: wordAt(settlement, 'utr', 'settlement_utr'),
    settledAtMs: gatewayTimeMs(wordAt(settlement, 'settled_on', 'settlement_date')),
    atMs,
  };
}
