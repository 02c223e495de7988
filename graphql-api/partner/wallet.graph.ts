import type { Money } from '../../schema/values/money.ts';
import { builder } from '../platform/graph/builder.ts';
import { MoneyRef, money } from '../platform/graph/money.ts';
import { ownSchedule, ownWallet } from './own-wallet.reads.ts';
import type { PendingRelease, PendingSchedule } from './pending-schedule.reads.ts';
import { ownTerms } from './program-terms.reads.ts';
import type { WalletView } from './wallet.reads.ts';

type Amounts = {
  [K in keyof WalletView]: WalletView[K] extends bigint ? K : never;
}[keyof WalletView];

/** The amount fields of a wallet, all in the wallet’s currency. */
const AMOUNTS: readonly (readonly [name: string, amount: Amounts, description: string])[] = [
  ['creditsBalance', 'creditsBalanceMinor', 'Credits that can be redeemed.'],
  [
    'creditsEarned',
    'creditsEarnedMinor',
    'Credits earned, net of clawbacks and including held credits.',
  ],
  [
    'creditsRedeemed',
    'creditsRedeemedMinor',
    'Credits redeemed on invoices, including reservations.',
  ],
  [
    'creditsReserved',
    'creditsReservedMinor',
    'Credits reserved for invoices that are not registered yet.',
  ],
  ['creditsConverted', 'creditsConvertedMinor', 'Credits converted to cash.'],
  ['creditsPending', 'creditsPendingMinor', 'Credits that are still held.'],
  ['cashBalance', 'cashBalanceMinor', 'Cash that is not part of a payout.'],
  ['cashEarned', 'cashEarnedMinor', 'Cash commissions earned, net of clawbacks.'],
  ['cashWithdrawn', 'cashWithdrawnMinor', 'Cash paid out, before tax.'],
  ['cashInPayout', 'cashInPayoutMinor', 'Cash in payouts that are neither paid nor returned yet.'],
  [
    'debt',
    'debtMinor',
    'Clawed-back amounts that the balances could not cover. Later inflows repay it first.',
  ],
];

const WalletRef = builder.objectRef<WalletView>('Wallet').implement({
  description:
    'The wallet of the viewer’s organization. All amounts are zero before the first earning.',
  authScopes: { member: true },
  fields: t => ({
    ...Object.fromEntries(
      AMOUNTS.map(([name, amount, description]) => [
        name,
        t.field({
          type: MoneyRef,
          nullable: false,
          description,
          // Free: the wallet’s row is already loaded.
          complexity: 0,
          resolve: (wallet): Money => ({
            amountMinor: wallet[amount],
            currencyCode: wallet.currency,
          }),
        }),
      ]),
    ),
    pendingNextReleaseDate: t.field({
      type: 'Date',
      description:
        'The day of the next release of held credits, at 02:00 UTC; null if none are held.',
      resolve: wallet => wallet.pendingNextReleaseDate,
    }),
    isDormant: t.exposeBoolean('isDormant', {
      nullable: false,
      description:
        'Whether the wallet has had no activity for the number of days in the program terms.',
    }),
    lastActivityAt: t.expose('lastActivityAt', {
      type: 'DateTime',
      description:
        'The time of the last earning, redemption, conversion or payout request; null if there was none.',
    }),
  }),
});

builder.queryField('wallet', t =>
  t.field({
    type: WalletRef,
    nullable: false,
    description: 'The wallet of the viewer’s organization.',
    authScopes: { member: true },
    resolve: (_root, _args, { context }) => ownWallet(context),
  }),
);

type InCurrency<T> = T & { readonly currency: string };

const PendingReleaseRef = builder
  .objectRef<InCurrency<PendingRelease>>('PendingRelease')
  .implement({
    description: 'Held credits that are released on the same day.',
    authScopes: { member: true },
    fields: t => ({
      releaseDate: t.field({
        type: 'Date',
        nullable: false,
        description: 'The UTC day of the release, at 02:00.',
        resolve: ({ releaseDate }) => releaseDate,
      }),
      total: money(t, 'totalMinor', { description: 'The total amount released on that day.' }),
      transactionCount: t.exposeInt('transactionCount', {
        nullable: false,
        description: 'The number of credits released on that day.',
      }),
    }),
  });

const PendingScheduleRef = builder
  .objectRef<InCurrency<PendingSchedule>>('PendingSchedule')
  .implement({
    description: 'The release schedule of held credits.',
    authScopes: { member: true },
    fields: t => ({
      totalPending: money(t, 'totalPendingMinor', {
        description: 'The total of all held credits.',
      }),
      nextReleaseDate: t.field({
        type: 'Date',
        description: 'The day of the next release; null if no credits are held.',
        resolve: ({ nextReleaseDate }) => nextReleaseDate,
      }),
      releases: t.field({
        type: [PendingReleaseRef],
        nullable: false,
        description: 'The releases by day, earliest first.',
        // At most one release per day of the hold period.
        complexity: { field: 1, multiplier: 60 },
        resolve: ({ releases, currency }) => releases.map(release => ({ ...release, currency })),
      }),
    }),
  });

builder.queryField('pendingSchedule', t =>
  t.field({
    type: PendingScheduleRef,
    nullable: false,
    description: 'The release schedule of the held credits of the viewer’s organization.',
    authScopes: { member: true },
    resolve: async (_root, _args, { context }) => {
      const { currency } = await ownTerms(context);
      return { ...(await ownSchedule(context)), currency };
    },
  }),
);
