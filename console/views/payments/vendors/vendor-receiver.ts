/** Where a vendor is paid, as it is typed. */
export type TypedReceiver = {
  readonly by: 'BANK' | 'UPI';
  readonly accountNumber: string;
  readonly ifsc: string;
  readonly vpa: string;
  readonly accountHolder: string;
};

export const NO_RECEIVER: TypedReceiver = {
  by: 'BANK',
  accountNumber: '',
  ifsc: '',
  vpa: '',
  accountHolder: '',
};

/** The API takes one of them. */
export function receiverOf({ by, accountNumber, ifsc, vpa, accountHolder }: TypedReceiver) {
  const holder = accountHolder.trim();
  return by === 'UPI'
    ? { bank: null, upi: { vpa: vpa.trim(), accountHolder: holder } }
    : { bank: { accountNumber, ifsc: ifsc.trim(), accountHolder: holder }, upi: null };
}
