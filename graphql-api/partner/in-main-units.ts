// The wallet actions of owners, with decimal amounts in the main unit of the wallet's currency,
// which the input does not name.

import { minorOf } from '../../schema/values/money.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { convertCreditsToCash } from './credit.convert-to-cash.ts';
import { redeemCredits } from './credit.redeem.ts';
import { requestPayout } from './payout.request.ts';
import { termsOf } from './program-terms.reads.ts';
import type { CreditsRedeem, CreditsToCash, PayoutRequest } from './wallet.contract.ts';

type Made = { readonly id: string };

export async function creditsRedeem(scope: ActionScope, input: CreditsRedeem): Promise<Made> {
  const currency = await ownCurrency(scope);
  return redeemCredits(scope, {
    invoiceId: input.invoiceId,
    invoiceTotalMinor: requireMinor(input.invoiceTotal, currency, 'invoiceTotal'),
    amountMinor: requireMinor(input.requestedAmount, currency, 'requestedAmount'),
  });
}

export async function creditsToCash(
  scope: ActionScope,
  { requestedAmount }: CreditsToCash,
): Promise<Made> {
  if (requestedAmount == null) return convertCreditsToCash(scope, {});
  const currency = await ownCurrency(scope);
  const amountMinor = requireMinor(requestedAmount, currency, 'requestedAmount');
  return convertCreditsToCash(scope, { amountMinor });
}

export async function payoutRequest(
  scope: ActionScope,
  { requestedAmount }: PayoutRequest,
): Promise<Made> {
  const currency = await ownCurrency(scope);
  const amountMinor = requireMinor(requestedAmount, currency, 'requestedAmount');
  return requestPayout(scope, { amountMinor });
}

/** The contract allows two decimals; some currencies have fewer. */
export function requireMinor(decimal: string, currency: string, field: string): bigint {
  return (
    minorOf(decimal, currency) ??
    reject('BAD_USER_INPUT', {
      field: [field],
      message: `${field} has more decimals than ${currency} allows.`,
    })
  );
}

async function ownCurrency({ em, viewer }: ActionScope): Promise<string> {
  return (await termsOf(em, viewer.organizationId)).currency;
}
