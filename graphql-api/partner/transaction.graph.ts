import type { ObjectRef } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, linked, memberNode, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { money } from '../platform/graph/money.ts';
import type { PostingKind } from './ledger/posting.ts';
import type { WalletAccount } from './ledger/wallet.ts';
import {
  transactionsByIds,
  transactionsPage,
  type WalletEntry,
  type WalletTransaction,
} from './transaction.reads.ts';

const KINDS: Readonly<Record<PostingKind, string>> = {
  EARN_CREDIT: 'A payment earned a credit, which is held until its release day.',
  EARN_COMMISSION: 'A payment earned a cash commission.',
  RELEASE_CREDITS: 'All held credits with the same release day became available.',
  CLAW_BACK:
    'All or part of the earning from a payment was clawed back after a refund or chargeback.',
  RESTORE:
    'The merchant won a dispute, and the amount clawed back because of the dispute was restored.',
  REDEEM: 'Credits were used to pay part of an invoice.',
  RESERVE: 'Credits were reserved for an invoice that had not been registered yet.',
  CAPTURE_RESERVATION:
    'An invoice was registered, and part of it was paid with the credits reserved for it.',
  RELEASE_RESERVATION: 'Reserved credits were returned to the balance.',
  CONVERT_CREDITS: 'Credits were converted to cash.',
  REQUEST_PAYOUT: 'A payout was requested, and its cash was set aside.',
  PAY_PAYOUT: 'A payout was made, net of tax.',
  RETURN_PAYOUT: 'A payout was rejected or failed, and the cash was returned to the wallet.',
  REVERSE_PAYOUT: 'The bank returned a paid payout, and the cash was returned to the wallet.',
};

const ACCOUNTS: Readonly<Record<WalletAccount, string>> = {
  PENDING: 'Held credits.',
  AVAILABLE: 'Credits that can be redeemed.',
  CASH: 'Cash that is not part of a payout.',
  IN_PAYOUT: 'Cash that is part of a payout in progress.',
  DEBT: 'The amount owed, as a negative balance.',
};

const TransactionKindEnum = describedEnum(
  'LedgerTransactionKind',
  'The kind of a ledger transaction.',
  KINDS,
);

const WalletAccountEnum = describedEnum('WalletAccount', 'An account in a wallet.', ACCOUNTS);

type ShownEntry = WalletEntry & { readonly currency: string };

const LedgerEntryRef = memberObject<ShownEntry>('LedgerEntry', {
  description: 'The change that a transaction makes to one wallet account.',
  fields: t => ({
    ...expose(t, WalletAccountEnum, { account: 'The account.' }),
    amount: money(t, 'amountMinor', {
      description: 'The amount added to the account; negative for a deduction.',
      complexity: 0,
    }),
    balanceAfter: money(t, 'balanceAfterMinor', {
      description: 'The balance of the account after the transaction.',
      complexity: 0,
    }),
  }),
});

/** At most one entry per account; no transaction touches more than three of the accounts. */
const ENTRIES_MAX = 3;

const transactionById = loaderById(transactionsByIds);

const LedgerTransactionRef: ObjectRef<SchemaTypes, WalletTransaction> = memberNode(
  'LedgerTransaction',
  transactionById,
  {
    description: 'A transaction in the wallet’s append-only ledger.',
    fields: t => ({
      ...expose(t, TransactionKindEnum, { kind: 'The kind of transaction.' }),
      amount: money(t, 'amountMinor', {
        description: 'The amount of the transaction. It is never negative.',
      }),
      ...expose(t, 'String!', {
        sourceType:
          'The type of the object that caused the transaction: `earning`, `release`, `redemption`, `conversion` or `payout`.',
        sourceId:
          'The ID of the object that caused the transaction, as used in the REST API; for a release, the day of the release.',
      }),
      reverses: linked(
        t,
        'reversesId',
        LedgerTransactionRef,
        transactionById,
        'The transaction that this one fully or partly reverses; null if there is none.',
      ),
      entries: t.field({
        type: [LedgerEntryRef],
        nullable: false,
        description:
          'The entries in the wallet’s accounts; empty if only reserved credits were affected.',
        complexity: { field: 1, multiplier: ENTRIES_MAX },
        resolve: ({ entries, currency }) => entries.map(entry => ({ ...entry, currency })),
      }),
      ...expose(t, 'DateTime!', { createdAt: 'When the transaction was posted.' }),
    }),
  },
);

const LedgerTransactionConnection = connectionType('LedgerTransaction', LedgerTransactionRef);

pageQuery('walletTransactions', {
  type: LedgerTransactionConnection,
  description: 'The ledger transactions in the wallet of the viewer’s organization.',
  args: arg => ({
    kinds: arg({ type: [TransactionKindEnum], description: 'Filters by kind.' }),
    since: arg({
      type: 'DateTime',
      description: 'Returns transactions posted at or after this time.',
    }),
    until: arg({ type: 'DateTime', description: 'Returns transactions posted before this time.' }),
  }),
  page: transactionsPage,
});
