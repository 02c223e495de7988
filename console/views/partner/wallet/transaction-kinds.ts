import type { TransactionKind } from './wallet-query.ts';

export const KINDS: Record<TransactionKind, string> = {
  EARN_CREDIT: 'Credit earned',
  RELEASE_CREDITS: 'Credits released',
  EARN_COMMISSION: 'Commission earned',
  REDEEM: 'Invoice paid with credits',
  RESERVE: 'Credits set aside',
  CAPTURE_RESERVATION: 'Set-aside credits spent',
  RELEASE_RESERVATION: 'Set-aside credits came back',
  CONVERT_CREDITS: 'Credits made cash',
  REQUEST_PAYOUT: 'Payout asked for',
  PAY_PAYOUT: 'Payout paid',
  RETURN_PAYOUT: 'Payout came back',
  REVERSE_PAYOUT: 'Payout sent back by the bank',
  CLAW_BACK: 'Taken back',
  RESTORE: 'Given back',
};

export const KIND_OPTIONS = Object.entries(KINDS).map(([value, label]) => ({ value, label }));
