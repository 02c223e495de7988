// A model of one referrer's wallet for any sequence of operations: the rules in memory, without a
// ledger. Amounts are numbers, which is exact for the amounts of the test.

import { DAY_MS } from './money.ts';

export type PayoutStep = 'PROCESSING' | 'PAID' | 'REJECTED' | 'FAILED' | 'REVERSED';

export type Operation =
  | { type: 'pay'; id: string; referee: number; amount: number }
  | { type: 'refund'; id: string; payment: string; amount: number }
  | { type: 'chargeback' | 'won'; id: string; payment: string }
  | { type: 'release' | 'expire' }
  | { type: 'redeem'; key: string; invoice: string; total: number; amount: number }
  | { type: 'register'; invoice: string; total: number; isPassthrough: boolean }
  | { type: 'convert'; key: string; amount: number | undefined }
  | { type: 'request'; key: string; amount: number }
  | { type: 'advance'; payout: string; to: PayoutStep };

export type Partner = {
  status: 'USER' | 'AFFILIATE' | 'AGENCY';
  isApproved: boolean;
  hasPan: boolean;
  hasGst: boolean;
};

type Pots = { pending: number; available: number; cash: number; inPayout: number; debt: number };
type Earning = {
  kind: 'CREDIT' | 'COMMISSION';
  amount: number;
  clawed: number;
  releaseOn: string;
  eligibleMs: number;
  isReleased: boolean;
};
type Redemption = {
  invoice: string;
  total: number;
  amount: number;
  status: 'RESERVED' | 'CAPTURED' | 'RELEASED';
  expiresMs: number;
};
type Payout = { gross: number; tax: number; status: PayoutStep | 'REQUESTED' };

export type Model = {
  nowMs: number;
  partner: Partner;
  pots: Pots;
  hasWallet: boolean;
  firstPaidMs: (number | undefined)[];
  payments: Record<string, { referee: number; amount: number }>;
  refunds: Record<string, { payment: string; amount: number }>;
  disputes: Record<string, { payment: string; isWon: boolean }>;
  earnings: Record<string, Earning>;
  invoices: Record<string, { total: number; isPassthrough: boolean }>;
  redemptions: Record<string, Redemption>;
  conversions: { amount: number; eligibleMs: number }[];
  payouts: Record<string, Payout>;
};

export function createModel(nowMs: number, referees: number): Model {
  return {
    nowMs,
    partner: { status: 'USER', isApproved: false, hasPan: false, hasGst: false },
    pots: { pending: 0, available: 0, cash: 0, inPayout: 0, debt: 0 },
    hasWallet: false,
    firstPaidMs: Array.from({ length: referees }, () => undefined),
    payments: {},
    refunds: {},
    disputes: {},
    earnings: {},
    invoices: {},
    redemptions: {},
    conversions: [],
    payouts: {},
  };
}

const HOLD_DAYS = 30;
const AGE_DAYS = 30;
const RESERVATION_DAYS = 30;
const MINIMUM = 100_000;

/**
 * Changes the model and returns 'OK', or leaves it unchanged and returns the code of the refusal.
 */
export function apply(model: Model, operation: Operation): string {
  switch (operation.type) {
    case 'pay':
      return pay(model, operation.id, operation.referee, operation.amount);
    case 'refund':
      return refund(model, operation.id, operation.payment, operation.amount);
    case 'chargeback':
    case 'won':
      return dispute(model, operation.id, operation.payment, operation.type === 'won');
    case 'release':
      return release(model);
    case 'expire':
      return settle(model);
    case 'redeem':
      return redeem(model, operation);
    case 'register':
      return register(model, operation.invoice, operation.total, operation.isPassthrough);
    case 'convert':
      return convert(model, operation.amount);
    case 'request':
      return request(model, operation.key, operation.amount);
    case 'advance':
      return advance(model, operation.payout, operation.to);
  }
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The day of the first release (at 02:00) at or after this time. */
function runAfter(ms: number): string {
  const ofTheDay = Date.parse(`${dayOf(ms)}T02:00:00Z`);
  return dayOf(ms <= ofTheDay ? ms : ms + DAY_MS);
}

function pay(model: Model, id: string, referee: number, amount: number): string {
  const known = model.payments[id];
  if (known !== undefined)
    return known.referee === referee && known.amount === amount ? 'OK' : 'PAYMENT_MISMATCH';
  model.payments[id] = { referee, amount };
  const isFirst = model.firstPaidMs[referee] === undefined;
  model.firstPaidMs[referee] ??= model.nowMs;
  const isCredit = model.partner.status === 'USER';
  const end = new Date(model.firstPaidMs[referee]);
  end.setUTCFullYear(end.getUTCFullYear() + 1);
  if (isCredit ? !isFirst : model.nowMs >= end.getTime()) return 'OK';
  const earned = Math.floor(amount * (isCredit ? 0.1 : 0.2) + 0.5);
  if (earned === 0) return 'OK';
  model.hasWallet = true;
  model.earnings[id] = {
    kind: isCredit ? 'CREDIT' : 'COMMISSION',
    amount: earned,
    clawed: 0,
    releaseOn: runAfter(model.nowMs + HOLD_DAYS * DAY_MS),
    eligibleMs: model.nowMs + AGE_DAYS * DAY_MS,
    isReleased: !isCredit,
  };
  if (isCredit) model.pots.pending += earned;
  else give(model, 'cash', earned);
  reverse(model, id);
  return 'OK';
}

function refund(model: Model, id: string, payment: string, amount: number): string {
  const known = model.refunds[id];
  if (known !== undefined)
    return known.payment === payment && known.amount === amount ? 'OK' : 'PAYMENT_MISMATCH';
  model.refunds[id] = { payment, amount };
  reverse(model, payment);
  return 'OK';
}

function dispute(model: Model, id: string, payment: string, isWon: boolean): string {
  model.disputes[id] ??= { payment, isWon: false };
  const known = model.disputes[id];
  if (known.payment !== payment) return 'PAYMENT_MISMATCH';
  known.isWon ||= isWon;
  reverse(model, payment);
  return 'OK';
}

/** Updates the clawed back amount of the payment's earning to what is due by now. */
function reverse(model: Model, payment: string): void {
  const earning = model.earnings[payment];
  if (earning === undefined) return;
  const isDisputed = Object.values(model.disputes).some(
    dispute => dispute.payment === payment && !dispute.isWon,
  );
  const refunded = sum(Object.values(model.refunds).filter(one => one.payment === payment));
  const paid = model.payments[payment]!.amount;
  const target =
    isDisputed || refunded >= paid
      ? earning.amount
      : Math.floor((earning.amount * refunded) / paid);
  const difference = target - earning.clawed;
  earning.clawed = target;
  const pot = earning.kind === 'CREDIT' ? 'available' : 'cash';
  if (!earning.isReleased) model.pots.pending -= difference;
  else if (difference > 0) take(model, pot, difference);
  else give(model, pot, -difference);
}

function give({ pots }: Model, pot: 'available' | 'cash', amount: number): void {
  const repaid = Math.min(pots.debt, amount);
  pots.debt -= repaid;
  pots[pot] += amount - repaid;
}

function take({ pots }: Model, pot: 'available' | 'cash', amount: number): void {
  let left = amount;
  for (const from of pot === 'cash'
    ? (['cash', 'available'] as const)
    : (['available', 'cash'] as const)) {
    const taken = Math.min(pots[from], left);
    pots[from] -= taken;
    left -= taken;
  }
  pots.debt += left;
}

function release(model: Model): string {
  for (const earning of Object.values(model.earnings)) {
    const open = earning.amount - earning.clawed;
    if (earning.isReleased || open === 0 || earning.releaseOn > dayOf(model.nowMs)) continue;
    earning.isReleased = true;
    model.pots.pending -= open;
    give(model, 'available', open);
  }
  return 'OK';
}

function redeem(model: Model, operation: Extract<Operation, { type: 'redeem' }>): string {
  const { key, invoice, total, amount } = operation;
  const registered = model.invoices[invoice];
  if (registered?.isPassthrough) return 'PASSTHROUGH_INVOICE';
  if (registered !== undefined && registered.total !== total) return 'INVOICE_MISMATCH';
  if (amount > model.pots.available) return 'INSUFFICIENT_BALANCE';
  const earlier = Object.values(model.redemptions).filter(
    one => one.invoice === invoice && one.status !== 'RELEASED',
  );
  if (amount + sum(earlier) > Math.floor(total / 2)) return 'REDEMPTION_CAP_EXCEEDED';
  model.pots.available -= amount;
  model.redemptions[key] = {
    invoice,
    total,
    amount,
    status: registered === undefined ? 'RESERVED' : 'CAPTURED',
    expiresMs: model.nowMs + RESERVATION_DAYS * DAY_MS,
  };
  return 'OK';
}

function register(model: Model, id: string, total: number, isPassthrough: boolean): string {
  const known = model.invoices[id];
  if (known !== undefined)
    return known.total === total && known.isPassthrough === isPassthrough
      ? 'OK'
      : 'INVOICE_ALREADY_REGISTERED';
  model.invoices[id] = { total, isPassthrough };
  return settle(model);
}

function settle(model: Model): string {
  for (const one of Object.values(model.redemptions)) {
    if (one.status !== 'RESERVED') continue;
    const invoice = model.invoices[one.invoice];
    if (invoice !== undefined && !invoice.isPassthrough && invoice.total === one.total) {
      one.status = 'CAPTURED';
    } else if (invoice !== undefined || one.expiresMs <= model.nowMs) {
      one.status = 'RELEASED';
      give(model, 'available', one.amount);
    }
  }
  return 'OK';
}

function convert(model: Model, wanted: number | undefined): string {
  if (!model.partner.isApproved) return 'KYC_NOT_APPROVED';
  const amount = wanted ?? model.pots.available;
  if (amount === 0 || amount > model.pots.available) return 'INSUFFICIENT_BALANCE';
  model.pots.available -= amount;
  model.pots.cash += amount;
  model.conversions.push({ amount, eligibleMs: model.nowMs + AGE_DAYS * DAY_MS });
  return 'OK';
}

function request(model: Model, key: string, amount: number): string {
  const { partner, pots, nowMs } = model;
  if (!partner.isApproved) return 'KYC_NOT_APPROVED';
  if (amount < MINIMUM) return 'BELOW_MIN_THRESHOLD';
  if (amount > pots.cash) return 'INSUFFICIENT_BALANCE';
  const young = [
    ...model.conversions,
    ...Object.values(model.earnings)
      .filter(({ kind }) => kind === 'COMMISSION')
      .map(earning => ({ ...earning, amount: earning.amount - earning.clawed })),
  ].filter(one => one.eligibleMs > nowMs);
  if (amount > pots.cash - sum(young)) return 'NET30_GUARDRAIL';
  pots.cash -= amount;
  pots.inPayout += amount;
  const percent = partner.hasGst ? 0 : partner.hasPan ? 2 : 10;
  const tax = Math.floor((amount * percent + 50) / 100);
  model.payouts[key] = { gross: amount, tax, status: 'REQUESTED' };
  return 'OK';
}

const FROM = {
  PROCESSING: 'REQUESTED',
  REJECTED: 'REQUESTED',
  PAID: 'PROCESSING',
  FAILED: 'PROCESSING',
  REVERSED: 'PAID',
};

function advance(model: Model, key: string, to: PayoutStep): string {
  const payout = model.payouts[key]!;
  if (payout.status === to) return 'OK';
  if (payout.status !== FROM[to]) return 'PAYOUT_STATUS';
  if (to === 'PROCESSING' && !model.partner.isApproved) return 'KYC_NOT_APPROVED';
  payout.status = to;
  if (to === 'PAID' || to === 'REJECTED' || to === 'FAILED') model.pots.inPayout -= payout.gross;
  if (to === 'REJECTED' || to === 'FAILED' || to === 'REVERSED') give(model, 'cash', payout.gross);
  return 'OK';
}

function sum(list: readonly { readonly amount: number }[]): number {
  return list.reduce((total, { amount }) => total + amount, 0);
}
