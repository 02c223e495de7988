import type { Tone } from '../../../pieces/State.tsx';
import type { FieldWords } from '../refused-field.ts';

/** What to enter, by the API's name of the field. */
export const VENDOR_WORDS: FieldWords = {
  name: 'Enter 1 to 100 letters, digits, spaces, and . / - &',
  email: 'Enter an email address of at most 100 characters.',
  phone: 'Enter 8 to 12 digits.',
  businessType: 'Choose another business type.',
  accountType: 'Choose another legal form.',
  pan: 'Enter a PAN, such as AAAPA1234A.',
  gstin: 'Enter a valid GSTIN, or leave the field empty.',
  accountNumber: 'Enter 9 to 18 digits.',
  ifsc: 'Enter an IFSC, such as HDFC0001234.',
  vpa: 'Enter a UPI address, such as name@bank.',
  accountHolder: 'Enter 1 to 100 letters, digits, spaces, and . / - &',
};

export const SHOWN = Object.keys(VENDOR_WORDS);

type StateWords = { readonly label: string; readonly tone: Tone; readonly meaning: string };

/** The gateway's states of a vendor, from its KYC until it can be paid. */
export const STATES: Readonly<Record<string, StateWords>> = {
  KYC_PENDING: {
    label: 'KYC pending',
    tone: 'waiting',
    meaning: 'The gateway is waiting for KYC documents.',
  },
  IN_KYC_REVIEW: {
    label: 'KYC in review',
    tone: 'waiting',
    meaning: 'The gateway is reviewing the KYC documents.',
  },
  IN_BENE_CREATION: {
    label: 'Pending',
    tone: 'waiting',
    meaning: 'The gateway is adding the account.',
  },
  IN_BANK_VALIDATION: {
    label: 'Pending',
    tone: 'waiting',
    meaning: 'The gateway is verifying the account.',
  },
  ACTION_REQUIRED: {
    label: 'Action required',
    tone: 'bad',
    meaning: 'The gateway’s dashboard shows what is missing.',
  },
  BENE_CREATION_FAILED: {
    label: 'Account rejected',
    tone: 'bad',
    meaning: 'The gateway couldn’t add the account. Edit the vendor to correct it.',
  },
  BANK_VALIDATION_FAILED: {
    label: 'Account rejected',
    tone: 'bad',
    meaning: 'The gateway couldn’t verify the account. Edit the vendor to correct it.',
  },
  ON_HOLD: { label: 'On hold', tone: 'bad', meaning: 'The vendor can’t be paid.' },
  BLOCKED: { label: 'Blocked', tone: 'bad', meaning: 'The vendor can’t be paid.' },
};

/** As the API decides. */
const NOT_EDITABLE = new Set(['CREATING', 'REFUSED', 'DELETED', 'BLOCKED']);

export const isEditable = (status: string) => !NOT_EDITABLE.has(status);
export const isDeletable = (status: string) => status === 'ACTIVE';

export function inReceiver({
  receivesBy,
  receiver,
}: {
  readonly receivesBy: string;
  readonly receiver: string;
}): string {
  return `${receivesBy === 'UPI' ? 'UPI' : 'Bank account'} ${receiver}`;
}
