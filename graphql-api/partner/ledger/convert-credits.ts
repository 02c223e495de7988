import { entriesOf, type Posting } from './posting.ts';

export type Converted = { readonly id: string; readonly amountMinor: bigint };

/** Converts credits to cash 1:1. A wallet with credits has no debt, so nothing is repaid here. */
export function convertCredits({ id, amountMinor }: Converted): Posting {
  return {
    kind: 'CONVERT_CREDITS',
    key: `convert:${id}`,
    amountMinor,
    sourceType: 'conversion',
    sourceId: id,
    entries: entriesOf({ AVAILABLE: -amountMinor, CASH: amountMinor }),
  };
}
