import { readAmount } from '../../../pieces/decimal.ts';
import type { Refusal } from '../../../pieces/use-action.tsx';

/** A vendor's share of an order, as it is typed. */
export type SplitDraft = {
  /** For the list only. */
  readonly key: string;
  readonly vendorId: string | null;
  readonly by: 'amount' | 'percentage';
  readonly share: string;
};

export const newSplit = (): SplitDraft => ({
  key: crypto.randomUUID(),
  vendorId: null,
  by: 'percentage',
  share: '',
});

/** Undefined while a vendor or a share is missing. */
export function splitsOf(drafts: readonly SplitDraft[]) {
  const splits = drafts.flatMap(({ vendorId, by, share }) => {
    // A percentage is written like an amount: a decimal with at most two places.
    const read = readAmount(share);
    if (vendorId === null || read === undefined) return [];
    return [by === 'amount' ? { id: vendorId, amount: read } : { id: vendorId, percentage: read }];
  });
  return splits.length === drafts.length ? splits : undefined;
}

/** The refusal of a share: of its vendor, or of how much it is. */
export function refusedPart(
  refusals: readonly Refusal[],
  at: number,
  part: 'vendor' | 'share',
): string | undefined {
  const names = refusals.flatMap(({ path }) => {
    const list = path?.indexOf('splits') ?? -1;
    return list >= 0 && path![list + 1] === String(at) ? [path!.at(-1)] : [];
  });
  if (part === 'vendor')
    return names.includes('id') ? 'This vendor can’t be paid. Choose another one.' : undefined;
  if (names.includes('percentage')) return 'Enter a percentage above 0, and at most 100.';
  return names.includes('amount') ? 'Enter an amount.' : undefined;
}

/** The refusal of all of them together. */
export function refusedTogether(refusals: readonly Refusal[]): string | undefined {
  return refusals.some(({ path }) => path?.at(-1) === 'splits')
    ? 'Together, the shares must not exceed the amount of the order.'
    : undefined;
}
