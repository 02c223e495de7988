import type { DealStatus } from './deals-query.ts';

/** What the actions on a deal need of it. */
export type MenuDeal = {
  readonly id: string;
  readonly status: DealStatus;
  readonly prospectCompanyName: string;
  readonly estimatedDealValue: { readonly amount: string; readonly currencyCode: string };
};
