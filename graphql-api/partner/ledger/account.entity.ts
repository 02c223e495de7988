import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../../platform/database/columns.ts';

const LedgerAccountSchema = defineEntity({
  name: 'LedgerAccount',
  tableName: 'ledger_accounts',
  properties: {
    id: p.bigint('string').primary(),
    walletId: p.uuid().nullable(),
    organizationId: p.uuid().nullable(),
    kind: p.text(),
    currency: p.text(),
    balanceMinor: p.bigint().nullable(),
    version: p.integer().nullable(),
    createdAt: createdAt(),
  },
});

/** An account of a wallet, with its balance, or of the platform, without. */
export class LedgerAccount extends LedgerAccountSchema.class {}
LedgerAccountSchema.setClass(LedgerAccount);
