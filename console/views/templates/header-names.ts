/** What the header of a message is called in each channel. */
export const HEADER_NAMES = { EMAIL: 'Subject', SMS: 'Sender', MESSAGING_APP: 'Header' } as const;
