// The operations of a sequence. There are few IDs and amounts, so that repeats, reversals before
// their payment and contradictions are frequent. Requested amounts are fractions of the current
// balances.

import fc from 'fast-check';
import type { Model, Operation, Partner, PayoutStep } from './model.ts';
import { DAY_MS } from './money.ts';

type Single =
  | Extract<Operation, { type: 'pay' }>
  /** `isFitting`: whether the operation is consistent with the current state or contradicts it. */
  | { type: 'chargeback' | 'won'; id: string; payment: string; isFitting: boolean }
  | { type: 'register'; invoice: string; total: number; isPassthrough: boolean; isFitting: boolean }
  | { type: 'refund'; id: string; payment: string; percent: number }
  | { type: 'release' | 'expire' }
  | { type: 'redeem'; invoice: string; total: number; percent: number; isFitting: boolean }
  | { type: 'convert' | 'request'; percent: number | undefined }
  | { type: 'advance'; index: number; way: number; to: PayoutStep | 'next' };

export type Draft =
  | Single
  | { type: 'days'; ms: number }
  | { type: 'partner'; partner: Partner }
  | { type: 'together'; drafts: Single[] }
  | { type: 'dying'; draft: Single; after: number | 'commit' };

const AMOUNTS = [3, 999, 100_000, 2_500_001, 9_999_999];
const INVOICE_TOTALS = [2, 100_001, 3_000_000];
const PERCENTS = [1, 17, 33, 50, 100, 101];

const amount = fc.constantFrom(...AMOUNTS);
const payment = fc.constantFrom('p0', 'p1', 'p2', 'p3', 'p4', 'p5');
const invoice = fc.constantFrom('i0', 'i1', 'i2');
const total = fc.constantFrom(...INVOICE_TOTALS);
const percent = fc.constantFrom(...PERCENTS);
const isFitting = fc.constantFrom(true, true, true, false);

const single: fc.Arbitrary<Single> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('pay' as const),
      id: payment,
      referee: fc.nat(2),
      amount,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('refund' as const),
      id: fc.constantFrom('r0', 'r1', 'r2', 'r3', 'r4'),
      payment,
      percent,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('chargeback' as const, 'won' as const),
      id: fc.constantFrom('d0', 'd1', 'd2'),
      payment,
      isFitting,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom('release' as const, 'expire' as const) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('redeem' as const),
      invoice,
      total,
      percent,
      isFitting: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('register' as const),
      invoice,
      total,
      isPassthrough: fc.constantFrom(false, false, true),
      isFitting,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('convert' as const, 'request' as const),
      percent: fc.option(percent, { nil: undefined, freq: 2 }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      type: fc.constant('advance' as const),
      index: fc.nat(3),
      way: fc.nat(5),
      to: fc.oneof(
        { weight: 3, arbitrary: fc.constant('next' as const) },
        {
          weight: 2,
          arbitrary: fc.constantFrom<PayoutStep[]>(
            'PROCESSING',
            'PAID',
            'REJECTED',
            'FAILED',
            'REVERSED',
          ),
        },
      ),
    }),
  },
);

const draft: fc.Arbitrary<Draft> = fc.oneof(
  { weight: 10, arbitrary: single },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(1, 10, 29, 30, 31, 200)
      .chain(days => fc.nat(DAY_MS).map(ms => ({ type: 'days' as const, ms: days * DAY_MS + ms }))),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('partner' as const),
      partner: fc.record({
        status: fc.constantFrom<Partner['status'][]>('USER', 'AFFILIATE', 'AGENCY'),
        isApproved: fc.constantFrom(true, true, true, false),
        hasPan: fc.boolean(),
        hasGst: fc.boolean(),
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('together' as const),
      drafts: fc.array(single, { minLength: 2, maxLength: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('dying' as const),
      draft: single,
      after: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }) },
        { weight: 1, arbitrary: fc.constant('commit' as const) },
      ),
    }),
  },
);

const approved = { isApproved: true, hasPan: true, hasGst: false };
const wait: Draft = { type: 'days', ms: 31 * DAY_MS };

/** Most sequences start with credits and cash that are old enough to spend. */
const prologue: Draft[] = [
  { type: 'pay', id: 'p0', referee: 0, amount: 9_999_999 },
  { type: 'pay', id: 'p1', referee: 1, amount: 2_500_001 },
  wait,
  { type: 'release' },
  { type: 'partner', partner: { status: 'AFFILIATE', ...approved } },
  { type: 'pay', id: 'p2', referee: 2, amount: 9_999_999 },
  { type: 'pay', id: 'p3', referee: 0, amount: 2_500_001 },
  wait,
];

/** Some also start with a payout in progress. */
const longPrologue: Draft[] = [
  ...prologue,
  { type: 'request', percent: 33 },
  { type: 'advance', index: 0, way: 0, to: 'PROCESSING' },
];

/** Long enough for money to be earned, mature, be spent and be clawed back. */
export const drafts: fc.Arbitrary<Draft[]> = fc
  .tuple(
    fc.constantFrom(prologue, prologue, longPrologue, longPrologue, []),
    fc.array(draft, { minLength: 8, maxLength: 20 }),
  )
  .map(([first, then]) => [...first, ...then]);

/** Turns a draft into operations on the current state; empty if there is nothing to operate on. */
export function resolve(model: Model, one: Single, key: string): Operation[] {
  const part = (whole: number, of: number) => Math.max(1, Math.floor((whole * of) / 100));
  switch (one.type) {
    case 'chargeback':
    case 'won': {
      const { type, id, payment } = one;
      const known = one.isFitting ? fittingDispute(model, type) : undefined;
      return [{ type, ...(known ?? { id, payment: model.disputes[id]?.payment ?? payment }) }];
    }
    case 'register': {
      const { type, isPassthrough } = one;
      const reserved = one.isFitting
        ? Object.values(model.redemptions).find(held => held.status === 'RESERVED')
        : undefined;
      const { invoice, total } = reserved ?? one;
      return [{ type, invoice, total, isPassthrough }];
    }
    case 'refund': {
      const { type, id, payment, percent } = one;
      return [
        { type, id, payment, amount: part(model.payments[payment]?.amount ?? 1_000, percent) },
      ];
    }
    case 'redeem': {
      const { type, percent } = one;
      const [registered] = one.isFitting
        ? Object.entries(model.invoices).filter(([, { isPassthrough }]) => !isPassthrough)
        : [];
      const invoice = registered?.[0] ?? one.invoice;
      const total = registered?.[1].total ?? one.total;
      const least = Math.min(model.pots.available, Math.floor(total / 2));
      return [{ type, key: `redeem ${key}`, invoice, total, amount: part(least, percent) }];
    }
    case 'convert': {
      const { percent } = one;
      const wanted = percent === undefined ? undefined : part(model.pots.available, percent);
      return [{ type: 'convert', key: `convert ${key}`, amount: wanted }];
    }
    case 'request':
      return [
        {
          type: 'request',
          key: `request ${key}`,
          amount: part(model.pots.cash, one.percent ?? 100),
        },
      ];
    case 'advance': {
      const keys = Object.keys(model.payouts);
      const payout = keys[one.index % keys.length];
      if (payout === undefined) return [];
      const { status } = model.payouts[payout]!;
      const next = NEXT[status] ?? ['PROCESSING'];
      const to = one.to === 'next' ? next[one.way % next.length]! : one.to;
      return [{ type: 'advance', payout, to }];
    }
    case 'pay':
    case 'release':
    case 'expire':
      return [one];
  }
}

const NEXT: Readonly<Record<string, readonly PayoutStep[]>> = {
  REQUESTED: ['PROCESSING', 'PROCESSING', 'REJECTED'],
  PROCESSING: ['PAID', 'PAID', 'FAILED'],
  PAID: ['REVERSED'],
};

/** An open dispute, to be won; or a payment that earned a reward, to be disputed. */
function fittingDispute(model: Model, type: 'chargeback' | 'won') {
  if (type === 'won') {
    const [id, open] = Object.entries(model.disputes).find(([, { isWon }]) => !isWon) ?? [];
    return open === undefined ? undefined : { id: id!, payment: open.payment };
  }
  const free = ['d0', 'd1', 'd2'].find(id => model.disputes[id] === undefined);
  const [payment] =
    Object.entries(model.earnings).find(([, earning]) => earning.clawed === 0) ?? [];
  return free === undefined || payment === undefined ? undefined : { id: free, payment };
}
