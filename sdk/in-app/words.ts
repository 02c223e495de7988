// The client's own texts. All other text comes from the campaign.

export type Words = {
  /** The name of the button that closes a message. */
  readonly close: string;
  /** The label of a button for which the campaign defines none. */
  readonly open: string;
  readonly send: string;
  readonly next: string;
  readonly thanks: string;
  /** The error of a question without an answer. */
  readonly choose: string;
  /** One of several values, such as 3 of 5 stars. */
  readonly of: (value: number, total: number) => string;
};

export const ENGLISH: Words = {
  close: 'Close',
  open: 'Open',
  send: 'Send',
  next: 'Next',
  thanks: 'Thank you.',
  choose: 'Please choose an answer.',
  of: (value, total) => `${value} of ${total}`,
};
