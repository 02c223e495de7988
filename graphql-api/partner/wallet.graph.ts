import type { Money } from '../../schema/values/money.ts';
import { builder } from '../platform/graph/builder.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { ownSchedule, ownWallet } from './own-wallet.reads.ts';
import type { PendingRelease, PendingSchedule } from './pending-schedule.reads.ts';
import { ownTerms } from './program-terms.reads.ts';
import type { WalletView } from './wallet.reads.ts';

type Amounts = {
  [K in keyof WalletView]: WalletView[K] extends bigint ? K : never;
}[keyof WalletView];

/** Each of the wallet's amounts as a field, in the wallet's currency. */
const AMOUNTS: readonly (readonly [name: string, amount: Amounts, description: string])[] = [
  ['creditsBalance', 'creditsBalanceMinor', 'Credits to be redeemed.'],
  ['creditsEarned', 'creditsEarnedMinor', 'Net of clawbacks, held ones included.'],
  ['creditsRedeemed', 'creditsRedeemedMinor', 'On invoices, reservations included.'],
  ['creditsReserved', 'creditsReservedMinor', 'For invoices that are not registered yet.'],
  ['creditsConverted', 'creditsConvertedMinor', 'That became cash.'],
  ['creditsPending', 'creditsPendingMinor', 'Still held.'],
  ['cashBalance', 'cashBalanceMinor', 'Cash that was not asked for yet.'],
  ['cashEarned', 'cashEarnedMinor', 'Commissions, net of clawbacks.'],
  ['cashWithdrawn', 'cashWithdrawnMinor', 'Paid out, before tax.'],
  ['cashInPayout', 'cashInPayoutMinor', 'Asked for, and neither paid nor back yet.'],
  [
    'debt',
    'debtMinor',
    'What clawbacks found nothing to take from; repaid first by what comes in.',
  ],
];

const WalletRef = builder.objectRef<WalletView>('Wallet').implement({
  description:
    'What the viewer’s organisation earned and has left; zeros before its first earning.',
  authScopes: { member: true },
  fields: t => ({
    ...Object.fromEntries(
      AMOUNTS.map(([name, amount, description]) => [
        name,
        t.field({
          type: MoneyRef,
          nullable: false,
          description,
          // Of one row that is read already.
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
      description: 'When held credits are next released, at 02:00 UTC; null where there are none.',
      resolve: wallet => wallet.pendingNextReleaseDate,
    }),
    isDormant: t.exposeBoolean('isDormant', {
      nullable: false,
      description: 'Whether nothing happened for as long as the terms say.',
    }),
    lastActivityAt: t.expose('lastActivityAt', {
      type: 'DateTime',
      description: 'The last earning, redemption, conversion or request of a payout.',
    }),
  }),
});

builder.queryField('wallet', t =>
  t.field({
    type: WalletRef,
    nullable: false,
    description: 'The wallet of the viewer’s organisation.',
    authScopes: { member: true },
    resolve: (_root, _args, { context }) => ownWallet(context),
  }),
);

type InCurrency<T> = T & { readonly currency: string };

const PendingReleaseRef = builder
  .objectRef<InCurrency<PendingRelease>>('PendingRelease')
  .implement({
    description: 'Held credits that are released on one day.',
    authScopes: { member: true },
    fields: t => ({
      releaseDate: t.field({
        type: 'Date',
        nullable: false,
        description: 'The day, in UTC; at 02:00.',
        resolve: ({ releaseDate }) => releaseDate,
      }),
      total: t.field({
        type: MoneyRef,
        nullable: false,
        description: 'Of that day.',
        resolve: ({ totalMinor, currency }) => ({
          amountMinor: totalMinor,
          currencyCode: currency,
        }),
      }),
      transactionCount: t.exposeInt('transactionCount', {
        nullable: false,
        description: 'How many credits.',
      }),
    }),
  });

const PendingScheduleRef = builder
  .objectRef<InCurrency<PendingSchedule>>('PendingSchedule')
  .implement({
    description: 'When held credits are released.',
    authScopes: { member: true },
    fields: t => ({
      totalPending: t.field({
        type: MoneyRef,
        nullable: false,
        description: 'All held credits.',
        resolve: ({ totalPendingMinor, currency }) => ({
          amountMinor: totalPendingMinor,
          currencyCode: currency,
        }),
      }),
      nextReleaseDate: t.field({
        type: 'Date',
        description: 'The first of the days; null where there are none.',
        resolve: ({ nextReleaseDate }) => nextReleaseDate,
      }),
      releases: t.field({
        type: [PendingReleaseRef],
        nullable: false,
        description: 'By day, the next one first.',
        // A line a day of the hold.
        complexity: { field: 1, multiplier: 60 },
        resolve: ({ releases, currency }) => releases.map(release => ({ ...release, currency })),
      }),
    }),
  });

builder.queryField('pendingSchedule', t =>
  t.field({
    type: PendingScheduleRef,
    nullable: false,
    description: 'When the held credits of the viewer’s organisation are released.',
    authScopes: { member: true },
    resolve: async (_root, _args, { context }) => {
      const { currency } = await ownTerms(context);
      return { ...(await ownSchedule(context)), currency };
    },
  }),
);
