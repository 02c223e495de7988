import type { Model } from './model.ts';

/** The expected contents of the database after the model's operations. */
export function observe(model: Model) {
  return {
    pots: { ...model.pots },
    earnings: Object.fromEntries(
      Object.entries(model.earnings).map(([id, { kind, amount, clawed, isReleased }]) => [
        id,
        { kind, amount, clawed, isReleased },
      ]),
    ),
    redemptions: Object.fromEntries(
      Object.entries(model.redemptions).map(([key, { invoice, amount, status }]) => [
        key,
        { invoice, amount, status },
      ]),
    ),
    payouts: Object.fromEntries(
      Object.entries(model.payouts).map(([key, { gross, tax, status }]) => [
        key,
        { gross, tax, status },
      ]),
    ),
    converted: model.conversions.reduce((total, { amount }) => total + amount, 0),
    livePayments: model.firstPaidMs.map(
      (_, referee) =>
        Object.entries(model.payments).filter(
          ([id, payment]) =>
            payment.referee === referee &&
            !Object.values(model.disputes).some(one => one.payment === id && !one.isWon),
        ).length,
    ),
  };
}

/** The view of the organization, which must agree with the model. */
export function expectedView(model: Model) {
  const { pots } = model;
  const earned = (kind: string) =>
    Object.values(model.earnings)
      .filter(earning => earning.kind === kind)
      .reduce((total, { amount, clawed }) => total + amount - clawed, 0);
  const redeemed = Object.values(model.redemptions).filter(one => one.status !== 'RELEASED');
  const paid = Object.values(model.payouts).filter(one => one.status === 'PAID');
  return {
    creditsBalanceMinor: BigInt(pots.available),
    creditsPendingMinor: BigInt(pots.pending),
    creditsEarnedMinor: BigInt(earned('CREDIT')),
    creditsRedeemedMinor: BigInt(redeemed.reduce((total, { amount }) => total + amount, 0)),
    cashBalanceMinor: BigInt(pots.cash),
    cashEarnedMinor: BigInt(earned('COMMISSION')),
    cashInPayoutMinor: BigInt(pots.inPayout),
    cashWithdrawnMinor: BigInt(paid.reduce((total, { gross }) => total + gross, 0)),
    debtMinor: BigInt(pots.debt),
  };
}
