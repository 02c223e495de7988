import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../../platform/database/columns.ts';

const WalletSchema = defineEntity({
  name: 'Wallet',
  tableName: 'wallets',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    region: p.text(),
    currency: p.text(),
    lastActivityAt: instant(),
    createdAt: createdAt(),
  },
});

/** Made at an organisation’s first earning; its balances are its accounts’. */
export class Wallet extends WalletSchema.class {}
WalletSchema.setClass(Wallet);
