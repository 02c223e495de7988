import type { SdkKey } from './keys-query.ts';

export type Accepts = SdkKey['accepts'];

/** What a key accepts, in the words of the list, and what that means for who sends with it. */
export const ACCEPTS: Record<Accepts, { readonly label: string; readonly meaning: string }> = {
  CONTRACT: {
    label: 'Own format only',
    meaning: 'Every event must be complete. Segment’s and RudderStack’s clients are refused.',
  },
  COMPATIBLE: {
    label: 'Also Segment and RudderStack',
    meaning:
      'Segment’s and RudderStack’s clients can send too. What they leave out, such as the session ID, is filled in.',
  },
};
