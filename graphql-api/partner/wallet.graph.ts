import { builder } from '../platform/graph/builder.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import { money } from '../platform/graph/money.ts';
import { ownTerms } from './program-terms.reads.ts';
import { WALLET_AMOUNTS } from './wallet.contract.ts';
import { ownSchedule, ownWallet, type PendingSchedule, type WalletView } from './wallet.reads.ts';

const AMOUNTS = Object.keys(WALLET_AMOUNTS) as (keyof typeof WALLET_AMOUNTS)[];

const WalletRef = memberObject<WalletView>('Wallet', {
  description:
    'The wallet of the viewer’s organization. All amounts are zero before the first earning.',
  fields: t => ({
    ...Object.fromEntries(
      AMOUNTS.map(name => [
        name,
        // Free: the wallet’s row is already loaded.
        money(t, `${name}Minor`, { description: WALLET_AMOUNTS[name], complexity: 0 }),
      ]),
    ),
    ...expose(t, 'Date', {
      pendingNextReleaseDate:
        'The day on which held credits are next released, at 02:00 UTC; null if no credits are held.',
    }),
    ...expose(t, 'Boolean!', {
      isDormant:
        'Whether the wallet has had no activity for the number of days that the program terms specify.',
    }),
    ...expose(t, 'DateTime', {
      lastActivityAt:
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

const PendingReleaseRef = memberObject<InCurrency<PendingSchedule['releases'][number]>>(
  'PendingRelease',
  {
    description: 'Held credits that are released on the same day.',
    fields: t => ({
      ...expose(t, 'Date!', {
        releaseDate: 'The day on which the credits are released, at 02:00 UTC.',
      }),
      total: money(t, 'totalMinor', { description: 'The total amount released on that day.' }),
      ...expose(t, 'Int!', {
        transactionCount: 'The number of earnings whose credits are released on that day.',
      }),
    }),
  },
);

const PendingScheduleRef = memberObject<InCurrency<PendingSchedule>>('PendingSchedule', {
  description: 'The release schedule for held credits.',
  fields: t => ({
    totalPending: money(t, 'totalPendingMinor', {
      description: 'The total of all held credits.',
    }),
    ...expose(t, 'Date', {
      nextReleaseDate: 'The day of the next release; null if no credits are held.',
    }),
    releases: t.field({
      type: [PendingReleaseRef],
      nullable: false,
      description: 'The scheduled releases, one per day, earliest first.',
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
    description: 'The schedule for releasing the held credits of the viewer’s organization.',
    authScopes: { member: true },
    resolve: async (_root, _args, { context }) => {
      const { currency } = await ownTerms(context);
      return { ...(await ownSchedule(context)), currency };
    },
  }),
);
