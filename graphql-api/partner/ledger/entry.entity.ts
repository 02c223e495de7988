import { defineEntity, p } from '@mikro-orm/core';

const LedgerEntrySchema = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entries',
  properties: {
    id: p.bigint('string').primary(),
    transactionId: p.uuid(),
    organizationId: p.uuid(),
    accountId: p.bigint('string'),
    currency: p.text(),
    amountMinor: p.bigint(),
    balanceAfter: p.bigint().nullable(),
    accountVersion: p.integer().nullable(),
  },
});

/** What a posting did to one account: a credit is positive, a debit negative; only ever added. */
export class LedgerEntry extends LedgerEntrySchema.class {}
LedgerEntrySchema.setClass(LedgerEntry);
