import { decimalOf } from '../../platform/money.ts';
import type { GatewayFact } from './facts.ts';

type FactDescription = Readonly<Record<string, string | number>>;

/**
 * The payload for webhook endpoints and the activity feed: IDs, statuses and amounts, without
 * personal data of the payer.
 */
export function describeFact(fact: GatewayFact): FactDescription {
  const known = Object.entries(FIELDS).flatMap(([name, read]) => {
    const value = read(fact);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(known);
}

type Read = (fact: Partial<Readonly<Record<string, unknown>>>) => string | number | undefined;

const FIELDS: Readonly<Record<string, Read>> = {
  payment_id: textOf('cfPaymentId'),
  refund_id: textOf('refundId'),
  link_id: textOf('linkId'),
  order_id: textOf('orderId'),
  subscription_id: textOf('subscriptionId'),
  dispute_id: textOf('disputeId'),
  dispute_type: textOf('type'),
  settlement_id: textOf('settlementId'),
  vendor_id: textOf('vendorId'),
  status: textOf('status'),
  amount: moneyOf('amountMinor'),
  amount_paid: moneyOf('amountPaidMinor'),
  currency: textOf('currency'),
  retry_attempts: ({ paymentKind, retryAttempts }) =>
    paymentKind === 'RENEWAL' ? (retryAttempts as number) : undefined,
  method: textOf('method'),
  failure: fact => (fact.status === 'FAILED' ? textOf('failure')(fact) : undefined),
};

function textOf(name: string): Read {
  return fact => fact[name] as string | undefined;
}

function moneyOf(name: string): Read {
  return fact => {
    const amountMinor = fact[name] as bigint | undefined;
    if (amountMinor === undefined || fact.currency === undefined) return undefined;
    return decimalOf({ amountMinor, currencyCode: fact.currency as string });
  };
}
