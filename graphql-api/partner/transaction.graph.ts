import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { POSTING_KINDS, type PostingKind } from './ledger/posting.ts';
import { WALLET_ACCOUNTS, type WalletAccount } from './ledger/wallet.ts';
import { transactionsByIds, transactionsPage } from './own-wallet.reads.ts';
import type { WalletEntry, WalletTransaction } from './transaction.reads.ts';

const KINDS: Readonly<Record<PostingKind, string>> = {
  EARN_CREDIT: 'A payment brought a credit, which is held.',
  EARN_COMMISSION: 'A payment brought cash.',
  RELEASE_CREDITS: 'The held credits of a day became available.',
  CLAW_BACK: 'A refund or chargeback took back what its payment had brought.',
  RESTORE: 'A chargeback was won, and what it had taken came back.',
  REDEEM: 'Credits paid a part of an invoice.',
  RESERVE: 'Credits were set aside for an invoice that is not known yet.',
  CAPTURE_RESERVATION: 'That invoice was registered, and they paid a part of it.',
  RELEASE_RESERVATION: 'They came back.',
  CONVERT_CREDITS: 'Credits became cash.',
  REQUEST_PAYOUT: 'Cash was asked for, and is on its way.',
  PAY_PAYOUT: 'It was paid, less tax.',
  RETURN_PAYOUT: 'It was rejected or failed, and came back.',
  REVERSE_PAYOUT: 'The bank sent it back.',
};

const ACCOUNTS: Readonly<Record<WalletAccount, string>> = {
  PENDING: 'Held credits.',
  AVAILABLE: 'Credits to be redeemed.',
  CASH: 'Cash that was not asked for.',
  IN_PAYOUT: 'Cash on its way.',
  DEBT: 'What is owed, as a negative balance.',
};

function described<K extends string>(names: readonly K[], texts: Readonly<Record<K, string>>) {
  return Object.fromEntries(names.map(name => [name, { description: texts[name] }])) as Record<
    K,
    { description: string }
  >;
}

const TransactionKindEnum = builder.enumType('LedgerTransactionKind', {
  description: 'What happened to a wallet.',
  values: described(POSTING_KINDS, KINDS),
});

const WalletAccountEnum = builder.enumType('WalletAccount', {
  description: 'A part of a wallet.',
  values: described(WALLET_ACCOUNTS, ACCOUNTS),
});

type ShownEntry = WalletEntry & { readonly currency: string };

const LedgerEntryRef = builder.objectRef<ShownEntry>('LedgerEntry').implement({
  description: 'What a transaction did to a part of the wallet.',
  authScopes: { member: true },
  fields: t => ({
    account: t.field({
      type: WalletAccountEnum,
      nullable: false,
      description: 'Which part.',
      resolve: ({ account }) => account,
    }),
    amount: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What came or, where negative, went.',
      // Of an entry that is counted already.
      complexity: 0,
      resolve: ({ amountMinor, currency }) => ({ amountMinor, currencyCode: currency }),
    }),
    balanceAfter: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What was there then.',
      complexity: 0,
      resolve: ({ balanceAfterMinor, currency }) => ({
        amountMinor: balanceAfterMinor,
        currencyCode: currency,
      }),
    }),
  }),
});

/** One per part of the wallet, and no transaction touches them all. */
const ENTRIES_MAX = 3;

const transactionById = loaderById(transactionsByIds);

const LedgerTransactionRef: ObjectRef<SchemaTypes, WalletTransaction> = builder.node(
  builder.objectRef<WalletTransaction>('LedgerTransaction'),
  {
    description: 'One line of the wallet’s ledger, which is only ever added to.',
    authScopes: { member: true },
    id: { resolve: transaction => transaction.id },
    loadOne: (id, graph) => transactionById(graph, id),
    fields: t => ({
      kind: t.field({
        type: TransactionKindEnum,
        nullable: false,
        description: 'What happened.',
        resolve: ({ kind }) => kind,
      }),
      amount: t.field({
        type: MoneyRef,
        nullable: false,
        description: 'What it is about, never negative.',
        resolve: ({ amountMinor, currency }) => ({ amountMinor, currencyCode: currency }),
      }),
      sourceType: t.exposeString('sourceType', {
        nullable: false,
        description: 'earning, release, redemption, conversion or payout.',
      }),
      sourceId: t.exposeString('sourceId', {
        nullable: false,
        description: 'Which one: its id as in REST; of a release, its day.',
      }),
      reverses: t.field({
        type: LedgerTransactionRef,
        description: 'The transaction that it takes back, wholly or in part.',
        resolve: ({ reversesId }, _args, graph) =>
          reversesId === null ? null : transactionById(graph, reversesId),
      }),
      entries: t.field({
        type: [LedgerEntryRef],
        nullable: false,
        description: 'What it did to the wallet; empty where it touched only what was set aside.',
        complexity: { field: 1, multiplier: ENTRIES_MAX },
        resolve: ({ entries, currency }) => entries.map(entry => ({ ...entry, currency })),
      }),
      createdAt: t.expose('createdAt', {
        type: 'DateTime',
        nullable: false,
        description: 'When it happened.',
      }),
    }),
  },
);

const LedgerTransactionConnection = connectionType('LedgerTransaction', LedgerTransactionRef);

builder.queryField('walletTransactions', t =>
  t.field({
    type: LedgerTransactionConnection,
    nullable: false,
    description: 'What happened to the wallet of the viewer’s organisation.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      kinds: t.arg({ type: [TransactionKindEnum], description: 'Only those.' }),
      since: t.arg({ type: 'DateTime', description: 'From then on.' }),
      until: t.arg({ type: 'DateTime', description: 'Before then.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { kinds, since, until, ...page }, { context }) => {
      const filter = {
        kinds: kinds ?? undefined,
        since: since ?? undefined,
        until: until ?? undefined,
      };
      return connectionOfPage(await transactionsPage(context, page, filter), page);
    },
  }),
);
