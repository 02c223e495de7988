import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../../platform/database/columns.ts';
import type { Posting, PostingKind } from './posting.ts';

export const LedgerTransactionSchema = defineEntity({
  name: 'LedgerTransaction',
  tableName: 'ledger_transactions',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    kind: p.text().$type<PostingKind>(),
    idempotencyKey: p.text(),
    amountMinor: p.bigint(),
    currency: p.text(),
    sourceType: p.text().$type<Posting['sourceType']>(),
    sourceId: p.text(),
    reversesId: p.uuid().nullable(),
    createdAt: instant(),
  },
});

/** One posting to one organization’s wallet. Append-only. */
export class LedgerTransaction extends LedgerTransactionSchema.class {}
LedgerTransactionSchema.setClass(LedgerTransaction);
