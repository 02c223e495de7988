import { outflow } from './inflow.ts';
import { entriesOf, type Posting } from './posting.ts';
import type { Balances } from './wallet.ts';

export type ReversedEarning = {
  readonly earningId: string;
  readonly kind: 'CREDIT' | 'COMMISSION';
  readonly isHeld: boolean;
  readonly amountMinor: bigint;
  /**
   * The refund or chargeback that causes the clawback, or the payment itself if it arrives late.
   */
  readonly causeId: string;
  readonly reversesId: string | undefined;
};

/** A held credit is voided. Anything later is debited. */
export function clawBack(balances: Balances, reversed: ReversedEarning): Posting {
  const { earningId, kind, isHeld, amountMinor, causeId, reversesId } = reversed;
  const taken = isHeld
    ? { PENDING: -amountMinor }
    : outflow(balances, kind === 'CREDIT' ? 'AVAILABLE' : 'CASH', amountMinor);
  return {
    kind: 'CLAW_BACK',
    key: `claw-back:${earningId}:${causeId}`,
    amountMinor,
    sourceType: 'earning',
    sourceId: earningId,
    reversesId,
    entries: entriesOf({ REWARDS: amountMinor, ...taken }),
  };
}
