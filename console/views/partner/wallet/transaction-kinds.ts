import type { TransactionKind } from './wallet-query.ts';

export const KINDS: Record<TransactionKind, string> = {
  EARN_CREDIT: 'Credit earned',
  RELEASE_CREDITS: 'Credits released',
  EARN_COMMISSION: 'Commission earned',
  REDEEM: 'Credits applied to invoice',
  RESERVE: 'Credits reserved',
  CAPTURE_RESERVATION: 'Reserved credits applied',
  RELEASE_RESERVATION: 'Reservation released',
  CONVERT_CREDITS: 'Credits converted to cash',
  REQUEST_PAYOUT: 'Payout requested',
  PAY_PAYOUT: 'Payout paid',
  RETURN_PAYOUT: 'Payout not paid, cash returned',
  REVERSE_PAYOUT: 'Payout returned by bank',
  CLAW_BACK: 'Clawback',
  RESTORE: 'Clawback reversed',
};

export const KIND_OPTIONS = Object.entries(KINDS).map(([value, label]) => ({ value, label }));
